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

/** State of the story on the landing page. `at` is a time, ISO 8601. Names are of invented people. */
export interface DemoState {
  readonly link: LinkState
  readonly wrapper: WrapperState
  readonly my: LogInState
}

/** The last payload that was signed, and the service's answer to the last post. */
export type LinkState =
  | { readonly kind: 'ready' }
  /** The service waits for the employee's first log-in, or has this person in focus. */
  | { readonly kind: 'log-in' | 'in-focus'; readonly name: string; readonly at: string }
  | Refused

interface Refused {
  readonly kind: 'refused'
  readonly code: string
  readonly at: string
}

export interface WrapperState {
  readonly kind: 'off' | 'starting' | 'signed-out' | 'signed-in' | 'in-focus' | 'ended'
  /** What draws the wrapper's page. */
  readonly window: 'window' | 'headless' | 'memory'
  /** The person who came into focus last, and when. */
  readonly name?: string
  readonly at?: string
  /** The last command of the landing page. */
  readonly outcome?: { readonly isDone: boolean; readonly text: string; readonly at: string }
}

/** Who proved an identity at the e-ID last, and the service's answer. */
export type LogInState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'logged-in'; readonly name: string; readonly at: string }
  | Refused

export type Board<State> = ReturnType<typeof createBoard<State>>

/** Keeps a state, and tells each change. */
export function createBoard<State>(initial: State) {
  let state = initial
  const listeners = new Set<(state: State) => void>()
  return {
    get state() {
      return state
    },
    change(changes: Partial<State>): void {
      state = { ...state, ...changes }
      for (const listener of listeners) listener(state)
    },
    /** @returns a function that removes the listener */
    onChange(listener: (state: State) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
