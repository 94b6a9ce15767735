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
  readonly logIns: readonly { readonly name: string; readonly email: string; readonly password: string }[]
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
  readonly isSignedIn: boolean
}

export interface DemoState {
  readonly link: StepState
  readonly wrapper: WrapperState
  readonly my: StepState
}

const startState: DemoState = {
  link: { tone: 'ready', text: 'Nobody has been opened yet.' },
  wrapper: {
    tone: 'ready',
    text: 'The demo was started without the wrapper.',
    does: 'nothing',
    isSignedIn: false,
  },
  my: { tone: 'ready', text: 'No patient has logged in yet.' },
}

const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short' })

/** The time of day. */
export const now = () => clock.format(new Date())

export type Board = ReturnType<typeof createBoard>

/** Keeps the state, and tells each change. */
export function createBoard() {
  let state = startState
  const listeners = new Set<(state: DemoState) => void>()
  return {
    get state() {
      return state
    },
    change(changes: Partial<DemoState>): void {
      state = { ...state, ...changes }
      for (const listener of listeners) listener(state)
    },
    /** @returns a function that removes the listener */
    onChange(listener: (state: DemoState) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
