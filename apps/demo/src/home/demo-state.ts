/** Where the parts of the demo are. They stay the same. */
export interface DemoFacts {
  readonly journal: string
  readonly service: string
  /** The consumer app. */
  readonly my: string
  readonly eId: string
  /** Address of the partner link's post. */
  readonly payloadUrl: string
  /** The patient whom the landing page opens. */
  readonly patient: string
}

/** What a step of the landing page shows. Names are of invented people. */
export interface StepState {
  readonly tone: 'ready' | 'waits' | 'done' | 'refused'
  readonly text: string
  readonly more?: string
}

export interface WrapperState extends StepState {
  /** What the step's button does. */
  readonly does: 'nothing' | 'start' | 'select'
}

/** What the page asks for every second. */
export interface DemoState {
  readonly facts: DemoFacts
  readonly link: StepState
  readonly wrapper: WrapperState
  readonly my: StepState
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })

/** The time of day. */
export const now = () => clock.format(new Date())
