import { type Person, personSchema } from '@service-link/protocol-core'
import { z } from 'zod'

/** A message that a page sends by itself. */
export const pageMessageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('hello'),
    protocol: z.int(),
    handlers: z.array(z.string()).max(100),
    isSignedIn: z.boolean(),
    person: personSchema.optional(),
  }),
  z.object({ type: z.literal('bye') }),
  z.object({ type: z.literal('signedIn') }),
  z.object({ type: z.literal('signedOut') }),
  z.object({ type: z.literal('personSelected'), person: personSchema }),
])

/** The bridge's knowledge of the page. */
export interface PageState {
  readonly isLoaded: boolean
  readonly isSignedIn: boolean
  readonly personInFocus?: Person | undefined
  /** Handlers of the page. */
  readonly handlers: ReadonlySet<string>
}

/** A change of {@link PageState}. */
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

/** The next state; the same object when nothing changes. Messages before `hello` are ignored. */
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
      // A command may be answered after its user has signed out.
      return state.isSignedIn ? { ...state, personInFocus: event.person } : state
  }
}
