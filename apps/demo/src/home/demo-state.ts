import type { PersonFieldKey } from '@service-link/protocol-core'
import type en from './page/en.json'

/** Where the parts of the demo are. They stay the same. */
export interface DemoFacts {
  readonly journal: string
  readonly service: string
  /** The consumer app. */
  readonly my: string
  readonly eId: string
  /** Address of the landing page's post, with its name. */
  readonly payloadUrl: string
  /** The patient whom the landing page opens. */
  readonly patient: string
}

/** A sentence of the page's catalogs. Names in it are of invented people; `at` is a time in milliseconds since 1970. */
export interface Said {
  readonly key: keyof typeof en.states
  readonly values: Readonly<Record<string, string | number | undefined>>
}

export const said = (key: Said['key'], values: Said['values'] = {}): Said => ({
  key,
  values: { ...values, at: Date.now() },
})

/** A member of a patient. The ID token has the whole name in one. */
export type PatientField = PersonFieldKey | 'name'

/** What a step sent, and what the service reads from it. Identity numbers are masked. */
export interface Travelled {
  /** JSON as it was sent, by lines. Those of one member of the patient name it. */
  readonly sent: readonly { readonly text: string; readonly field?: PatientField | undefined }[]
  readonly patient: readonly { readonly field: PatientField; readonly value: string }[]
}

/** What a step of the landing page shows. */
export interface StepState {
  readonly tone: 'ready' | 'waits' | 'done' | 'refused'
  readonly says: Said
  readonly more?: Said | undefined
  readonly travelled?: Travelled | undefined
}

export interface WrapperState extends StepState {
  /** What the step's button does. */
  readonly does: 'nothing' | 'start' | 'select'
  /** How far the last press of its button has come, whoever is shown now. */
  readonly driven: StepState['tone']
}

/** What the page asks for every second. */
export interface DemoState {
  readonly facts: DemoFacts
  readonly link: StepState
  readonly wrapper: WrapperState
  readonly my: StepState
}
