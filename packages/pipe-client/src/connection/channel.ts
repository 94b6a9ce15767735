import type { SessionCallName, SessionEvent, SessionResult } from '@service-link/protocol-core'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import type { CallBounds } from './call-bounds.ts'

/** Arguments of a call as they travel; a member that is `undefined` is left out. */
export type CallArgs = Readonly<Record<string, unknown>>

/** Which events an iteration is told, and how long it lasts. */
export interface EventChoice {
  /** Names as they travel; all when it is missing. */
  readonly events: readonly SessionEvent['event'][] | undefined
  /** Most events that may wait unread, 1 or more. */
  readonly maxQueued: number
  readonly signal: AbortSignal | undefined
}

/** One way to one wrapper, in one mode of the pipe. */
export interface Channel {
  readonly mode: 'session' | 'classic'
  /** The wrapper at its other end. */
  readonly wrapper: ListedPipe
  /** Whether another call has a chance; once it is false it stays false. */
  readonly isOpen: boolean
  /** Has the wrapper do one thing. Rejects as `WrapperClient` says. */
  request<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    bounds: CallBounds,
  ): Promise<SessionResult<Name>>
  /** Begins to listen. Ends as `WrapperClient.events` says. */
  openEvents(choice: EventChoice): AsyncIterator<SessionEvent, undefined>
  /** Ends whatever goes on. */
  close(): Promise<void>
}
