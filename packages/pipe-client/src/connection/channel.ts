import type { SessionEvent } from '@service-link/protocol-core'
import {
  compareVersions,
  formatVersion,
  minimumPipeVersion,
  parseVersion,
  type SessionCallName,
  type SessionResult,
} from '@service-link/protocol-core'
import type { Deadline } from '@service-link/protocol-core/time'
import {
  mayHaveEffect,
  PipeClosedError,
  PipeReplyError,
  PipeTimeoutError,
  PipeTooOldError,
} from '../errors/pipe-error.ts'

/** A wrapper that is running. */
export interface FoundWrapper {
  /** Process id of the wrapper. */
  readonly pid: number
  /** Process id of its browser, which owns the window. Missing while there is none, and in the classic mode. */
  readonly browserPid?: number | undefined
  /** Address of its connection: a named pipe of Windows, or the path of a socket. */
  readonly address: string
  /** Tells its desktop from this user's others; empty without one. Missing in the classic mode. */
  readonly desktop?: string | undefined
  /** Four numbers with dots between them. Missing in the classic mode. */
  readonly version?: string | undefined
}

/** Arguments of a call as they travel. A member that is `undefined` is left out. */
export type CallArgs = Readonly<Record<string, unknown>>

/** A field of a call that the wrapper left out, because it could not read it, or a date that it read by its culture. It carried out the call. */
export interface WrapperWarning {
  /** The command, as it travels. */
  readonly command: SessionCallName
  /** The field, as it travels. */
  readonly path: string
  /** What the field must be, or how the date was read, as a clause without the value. */
  readonly problem: string
}

/** Takes the warnings of all calls. */
export type OnWarning = (warning: WrapperWarning) => void

/** Events of one iteration, and its limits. */
export interface EventChoice {
  /** Names as they travel. Default: all. */
  readonly events: readonly SessionEvent['event'][] | undefined
  /** Most events that may wait unread, 1 or more. */
  readonly maxQueued: number
  readonly signal: AbortSignal | undefined
}

/** Connects a client to one wrapper, in one mode of the pipe. */
export interface Channel {
  readonly mode: 'session' | 'classic'
  readonly wrapper: FoundWrapper
  /** Whether another call has a chance. Once it is false it stays false. */
  readonly isOpen: boolean
  /** Makes one call. Rejects as `WrapperClient` says. */
  request<Name extends SessionCallName>(
    name: Name,
    args: CallArgs | undefined,
    deadline: Deadline,
  ): Promise<SessionResult<Name>>
  /** Begins an iteration of events. It ends as `WrapperClient.events` says. */
  openEvents(choice: EventChoice): AsyncIterator<SessionEvent, undefined>
  /** Ends all calls and iterations. */
  close(): Promise<void>
}

/**
 * Makes the error of a step of connecting: the caller's own call was not sent.
 *
 * @param missing begins the sentence for a step that took too long
 * @param waitedMs limit of the step. Default: the error's
 */
export function asNotSent(error: unknown, missing: string, waitedMs?: number): unknown {
  if (error instanceof PipeTimeoutError)
    return new PipeTimeoutError(waitedMs ?? error.waitedMs, false, missing)
  if (error instanceof PipeReplyError) return new PipeReplyError(error.message, false)
  return error instanceof PipeClosedError ? new PipeClosedError(false, error.systemCode) : error
}

/** Makes the error of a call whose connection broke: a call that only reads had no effect. */
export function asOfCall(error: unknown, call: SessionCallName): unknown {
  return error instanceof PipeClosedError && error.wasSent && !mayHaveEffect(call)
    ? new PipeClosedError(true, error.systemCode, 'lost', call)
    : error
}

/** Checks the version of a wrapper. */
export function assertNewEnough(text: string): void {
  const version = readVersion(text)
  if (compareVersions(version, minimumPipeVersion) < 0)
    throw new PipeTooOldError(formatVersion(version), formatVersion(minimumPipeVersion))
}

function readVersion(text: string) {
  try {
    return parseVersion(text)
  } catch {
    throw new PipeReplyError('The wrapper told a version that is not four numbers.', false)
  }
}
