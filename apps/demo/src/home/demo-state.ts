/** State of the story on the landing page. `at` is a time, ISO 8601. Names are of invented people. */
export interface DemoState {
  readonly addresses: {
    /** The journal of the partner application. */
    readonly journal: string
    readonly service: string
    /** The consumer app. */
    readonly my: string
    readonly eId: string
    /** Address of the partner link's post. */
    readonly payload: string
  }
  readonly logIns: readonly { readonly name: string; readonly email: string; readonly password: string }[]
  readonly link: LinkState
  readonly wrapper: WrapperState
  readonly my: MyState
}

/** The partner link: the last payload that was signed, and the service's answer to it. */
export type LinkState =
  | { readonly kind: 'ready' }
  /** The service waits for the employee's first log-in, or has this person in focus. */
  | { readonly kind: 'log-in' | 'in-focus'; readonly name: string; readonly at: string }
  | { readonly kind: 'refused'; readonly code: string; readonly at: string }

export type WrapperState = {
  /** What draws the wrapper's page. */
  readonly window: 'window' | 'headless' | 'memory'
  /** The last command of the landing page. */
  readonly outcome?: { readonly isDone: boolean; readonly text: string; readonly at: string }
} & (
  | { readonly kind: 'off'; readonly reason: string }
  | { readonly kind: 'starting' | 'signed-out' | 'signed-in' | 'ended' }
  | { readonly kind: 'in-focus'; readonly name: string; readonly at: string }
)

/** The consumer app: who proved an identity at the e-ID, and whether the service took it. */
export type MyState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly at: string }
  | { readonly kind: 'logged-in'; readonly name: string; readonly at: string }

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
