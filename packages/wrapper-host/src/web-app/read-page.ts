import {
  ArgsError,
  type CommandReply,
  type CommandResult,
  commands,
  defineErrorOf,
  type EndReason,
  NotFoundError,
  NotSignedInError,
  type PageCommandName,
  type Person,
  readBy,
  selectPersonAnswerSchema,
  WebAppError,
  wirePath,
} from '@service-link/protocol-core'
import type * as z from 'zod/mini'
import { pageAnswerSchema, type pageMessageSchema } from './page/page-messages.ts'

/** The bridge's knowledge of the page. */
export interface PageState {
  readonly isLoaded: boolean
  readonly isSignedIn: boolean
  /** Number of the page's present session. */
  readonly session?: number | undefined
  readonly personInFocus?: Person | undefined
  /** Why the last person left the focus. */
  readonly clearedBy?: EndReason | undefined
  readonly handlers: ReadonlySet<string>
}

/** A message of the page, or `gone`: it reloads, crashes, or its window closes. */
export type PageStateEvent = z.output<typeof pageMessageSchema> | { readonly type: 'gone' }

/** No page, or none that has connected. */
export const noPage: PageState = { isLoaded: false, isSignedIn: false, handlers: new Set() }

/** The next state; the same object when nothing changes. Messages before `hello` are ignored. */
export function nextPageState(state: PageState, event: PageStateEvent): PageState {
  if (event.type === 'gone') return state.isLoaded ? noPage : state
  if (event.type === 'hello') {
    const { handlers, isSignedIn, session, person } = event
    return {
      isLoaded: true,
      isSignedIn,
      session,
      handlers: new Set(handlers),
      ...(isSignedIn && person ? { personInFocus: person } : {}),
    }
  }
  if (!state.isLoaded) return state
  const { handlers } = state
  switch (event.type) {
    case 'signedIn':
      return state.isSignedIn ? state : { ...state, isSignedIn: true, session: event.session }
    case 'signedOut':
      return state.isSignedIn ? { isLoaded: true, isSignedIn: false, handlers } : state
    case 'personSelected':
      // A command may be answered after its user has signed out.
      return state.isSignedIn ? { ...state, personInFocus: event.person } : state
    case 'personCleared':
      return state.personInFocus ? { ...state, personInFocus: undefined, clearedBy: event.reason } : state
  }
}

/**
 * The page went away, or is not there yet: it reloads, has crashed or was restarted. The command may have had an effect. A page
 * that comes back can be asked again.
 */
export class PageGoneError extends defineErrorOf(WebAppError)(
  'ERR_WEB_APP',
  (message: string) => ({ message }),
  'PageGoneError',
) {}

/** Reads the page's answer to a command. Returns the command's reply, checked by the command table. */
export function readPageAnswer<Name extends PageCommandName>(
  name: Name,
  value: unknown,
): CommandResult<Name> {
  const answer = pageAnswerSchema.safeParse(value).data
  if (!answer) throw new WebAppError(`The web app answered ${name} in an unknown way.`)
  if (answer.type === 'notConnected')
    throw new PageGoneError('The web app is not connected: it is loading, or has no bridge.')
  if (answer.type === 'failure') throw refusal(answer)
  const reply: CommandReply = name === 'selectperson' ? selectPersonAnswerSchema : commands[name].reply
  if (typeof reply === 'string') return undefined as CommandResult<Name>
  const reading = readBy(reply, answer.value)
  if (!reading.issues) return reading.value as CommandResult<Name>
  const places = reading.issues.map(({ path, problem }) => `${path || 'it'} ${problem}`)
  throw new WebAppError(`The web app answered ${name} in another shape: ${places.join('; ')}.`)
}

function refusal({
  code,
  message,
  issues,
}: Extract<z.output<typeof pageAnswerSchema>, { type: 'failure' }>): Error {
  switch (code) {
    case 'ERR_NOT_FOUND':
      return new NotFoundError(message)
    case 'ERR_NOT_SIGNED_IN':
      return new NotSignedInError()
    case 'ERR_ARGS':
      // The caller knows the argument by its name on the wire.
      return new ArgsError(
        issues.length > 0
          ? issues.map(({ path, problem }) => ({ path: wirePath(path), problem }))
          : [{ path: '', problem: message }],
      )
    case 'ERR_WEB_APP':
      return new WebAppError(message)
  }
}
