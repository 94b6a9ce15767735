import type { Person } from '@service-link/protocol-core'
import type { BridgeState } from './bridge.ts'

/** What the bridge keeps in mind of the page. */
export interface PageState extends BridgeState {
  /** Handlers that the page has. */
  readonly handlers: ReadonlySet<string>
}

/** What changes it. */
export type PageStateEvent =
  | {
      readonly type: 'hello'
      readonly handlers: readonly string[]
      readonly isSignedIn: boolean
      readonly person?: Person | undefined
    }
  | { readonly type: 'signedIn' }
  | { readonly type: 'signedOut' }
  | { readonly type: 'personSelected'; readonly person: Person }
  /** The page says good-bye, reloads, crashes, or its window closes. */
  | { readonly type: 'gone' }

/** No page, or none that has connected. */
export const noPage: PageState = { isLoaded: false, isSignedIn: false, handlers: new Set() }

/**
 * The next state; the same object when nothing changes. A page is known only once it has said `hello`: whatever an
 * unconnected one says is ignored.
 */
export function nextPageState(state: PageState, event: PageStateEvent): PageState {
  if (event.type === 'gone') return state.isLoaded ? noPage : state
  if (event.type === 'hello') {
    const { handlers, isSignedIn, person } = event
    return {
      isLoaded: true,
      isSignedIn,
      handlers: new Set(handlers),
      ...(isSignedIn && person ? { personInFocus: person } : {}),
    }
  }
  if (!state.isLoaded) return state
  const { handlers } = state
  switch (event.type) {
    case 'signedIn':
      return state.isSignedIn ? state : { ...state, isSignedIn: true }
    case 'signedOut':
      return state.isSignedIn ? { isLoaded: true, isSignedIn: false, handlers } : state
    case 'personSelected':
      // Of a command whose answer comes after its user has signed out.
      return state.isSignedIn ? { ...state, personInFocus: event.person } : state
  }
}
