import { type CommandErrorCode, ServiceLinkError } from '@service-link/protocol-core/errors'

/**
 * Every code of a {@link PipeError}. This package also throws the `FrameError` of protocol-core, `ERR_FRAME`, for arguments
 * that are longer than a wrapper accepts. Codes are API: never renamed, never reused.
 */
export type PipeErrorCode =
  | 'ERR_PIPE_NOT_FOUND'
  | 'ERR_PIPE_AMBIGUOUS'
  | 'ERR_PIPE_DENIED'
  | 'ERR_PIPE_UNPROVEN'
  | 'ERR_PIPE_TIMEOUT'
  | 'ERR_PIPE_CLOSED'
  | 'ERR_PIPE_REPLY'
  | 'ERR_PIPE_REFUSED'
  | 'ERR_PIPE_TOO_OLD'
  | 'ERR_PIPE_UNSUPPORTED'
  | 'ERR_PIPE_NOT_INSTALLED'
  | 'ERR_PIPE_START'
  | 'ERR_PIPE_OVERFLOW'

/** Base of the errors of this package. Match by `code`. */
export abstract class PipeError<Code extends PipeErrorCode = PipeErrorCode> extends ServiceLinkError<Code> {
  /** Whether the same call may be made again: it had no effect, and may succeed after waiting alone. */
  abstract readonly shouldRetry: boolean
}

/** No wrapper runs on this desktop, or not as the given process. Start it, then call again. */
export class PipeNotFoundError extends PipeError<'ERR_PIPE_NOT_FOUND'> {
  readonly code = 'ERR_PIPE_NOT_FOUND'
  readonly shouldRetry = false
  /** The process id that the caller gave, if any. */
  readonly pid: number | undefined
  /** This user's wrappers on other desktops. Give the process id of one to use it. */
  readonly otherSessionPids: readonly number[]

  constructor(pid?: number, otherSessionPids: readonly number[] = []) {
    super(describeAbsence(pid, otherSessionPids))
    this.pid = pid
    this.otherSessionPids = otherSessionPids
  }
}

function describeAbsence(pid: number | undefined, otherSessionPids: readonly number[]): string {
  if (pid !== undefined) return `No wrapper runs as process ${pid}. Start it, or leave the process id out.`
  if (otherSessionPids.length === 0) return 'No wrapper of this user is running. Start it and try again.'
  return `No wrapper runs on this desktop, or on that of the first connection. Other desktops of this user have the processes ${otherSessionPids.join(', ')}. Start a wrapper here, or give one of these process ids.`
}

/** Several wrappers of this user are possible. A person must never appear in the wrong one: give the process id. */
export class PipeAmbiguousError extends PipeError<'ERR_PIPE_AMBIGUOUS'> {
  readonly code = 'ERR_PIPE_AMBIGUOUS'
  readonly shouldRetry = false
  /** Process ids of the possible wrappers. */
  readonly pids: readonly number[]

  constructor(pids: readonly number[]) {
    super(`Several wrappers are running, as processes ${pids.join(', ')}. Give the process id of one.`)
    this.pids = pids
  }
}

/**
 * The operating system does not let this user open the pipe, or there is no pipe. Another user can have written the file or
 * the program of a launch. On Linux and macOS also: the socket belongs to another user.
 */
export class PipeDeniedError extends PipeError<'ERR_PIPE_DENIED'> {
  readonly code = 'ERR_PIPE_DENIED'
  readonly shouldRetry = false
}

/**
 * A process answers at the address of a wrapper's record and is not that wrapper: it may have taken the address of a killed
 * one. It got nothing but the question. Have an administrator find out whose process it is; do not try again.
 */
export class PipeUnprovenError extends PipeError<'ERR_PIPE_UNPROVEN'> {
  readonly code = 'ERR_PIPE_UNPROVEN'
  readonly shouldRetry = false
  /** Process id in the record. The process that answers may be another. */
  readonly pid: number

  constructor(pid: number) {
    super(
      `The process that answers in the place of process ${pid} did not prove to be a wrapper of this user. No command was sent to it. This is an incident: tell your administrator.`,
    )
    this.pid = pid
  }
}

/** The call took longer than its time-out. */
export class PipeTimeoutError extends PipeError<'ERR_PIPE_TIMEOUT'> {
  readonly code = 'ERR_PIPE_TIMEOUT'
  readonly shouldRetry: boolean
  /** The time-out that elapsed, in milliseconds. */
  readonly waitedMs: number
  /** Whether the wrapper may have taken the command. Its effect is not known then. */
  readonly wasSent: boolean

  /** @param missing begins the sentence for a call that was not sent. Default: for a missing connection */
  constructor(waitedMs: number, wasSent: boolean, missing = 'The wrapper did not accept a connection') {
    super(
      wasSent
        ? `The wrapper did not answer within ${waitedMs} ms. Whether the command had an effect is not known.`
        : `${missing} within ${waitedMs} ms.`,
    )
    this.waitedMs = waitedMs
    this.wasSent = wasSent
    this.shouldRetry = !wasSent
  }
}

/** The connection broke, or ended without the reply of the command. */
export class PipeClosedError extends PipeError<'ERR_PIPE_CLOSED'> {
  readonly code = 'ERR_PIPE_CLOSED'
  readonly shouldRetry: boolean
  /** Whether the wrapper may have taken the command. Its effect is not known then. */
  readonly wasSent: boolean
  /** The operating system's name of the failure, such as `ECONNRESET`, if there is one. */
  readonly systemCode: string | undefined

  /** @param isFinal whether the client does not connect again */
  constructor(wasSent: boolean, systemCode?: string, isFinal = false) {
    const reason = systemCode === undefined ? '' : ` (${systemCode})`
    super(
      wasSent
        ? `The wrapper closed the connection before the reply was complete${reason}. Whether the command had an effect is not known.`
        : `The connection to the wrapper failed${reason}.`,
    )
    this.wasSent = wasSent
    this.systemCode = systemCode
    this.shouldRetry = !wasSent && !isFinal
  }
}

/**
 * The wrapper sent bytes that are not a reply to the command: no frame, too long, not JSON, or of another shape. In the
 * session mode this can end the connection and all pending calls.
 */
export class PipeReplyError extends PipeError<'ERR_PIPE_REPLY'> {
  readonly code = 'ERR_PIPE_REPLY'
  readonly shouldRetry: boolean
  /** Whether the wrapper may have taken the command. Its effect is not known then. */
  readonly wasSent: boolean

  /** @param shouldRetry whether another connection may succeed. Ignored if the command was sent */
  constructor(message: string, wasSent = true, shouldRetry = false) {
    super(message)
    this.wasSent = wasSent
    this.shouldRetry = shouldRetry && !wasSent
  }
}

/** The wrapper did not carry out the command, and says why. */
export class PipeRefusedError extends PipeError<'ERR_PIPE_REFUSED'> {
  readonly code = 'ERR_PIPE_REFUSED'
  readonly shouldRetry: boolean
  /** The wrapper's own code. */
  readonly commandCode: CommandErrorCode

  /** @param sentence explanation of the wrapper */
  constructor(commandCode: CommandErrorCode, sentence: string) {
    super(`${sentence} (${commandCode})`)
    this.commandCode = commandCode
    this.shouldRetry = commandCode === 'ERR_NOT_SIGNED_IN' || commandCode === 'ERR_BUSY'
  }
}

/** The wrapper is older than the pipe interface ([specification 8](https://github.com/service-link/service-link/blob/main/docs/reference/pipe.md): at least 2.1.4.19787). Update it. */
export class PipeTooOldError extends PipeError<'ERR_PIPE_TOO_OLD'> {
  readonly code = 'ERR_PIPE_TOO_OLD'
  readonly shouldRetry = false
  /** Version of the wrapper, four numbers. */
  readonly wrapperVersion: string

  constructor(wrapperVersion: string, minimum: string) {
    super(`The wrapper has version ${wrapperVersion}; at least ${minimum} is needed. Update the wrapper.`)
    this.wrapperVersion = wrapperVersion
  }
}

/**
 * The call needs the session mode, and this client uses the classic mode. Or the wrapper does not know an event. Or the
 * wrapper speaks a later session mode than this program: update the program.
 */
export class PipeUnsupportedError extends PipeError<'ERR_PIPE_UNSUPPORTED'> {
  readonly code = 'ERR_PIPE_UNSUPPORTED'
  readonly shouldRetry = false
  /** Version of the wrapper's session mode, if this program does not know it. */
  readonly wrapperProtocol: number | undefined

  /** @param what subject of the sentence: the call or event */
  constructor(what: string, wrapperProtocol?: number) {
    super(
      wrapperProtocol === undefined
        ? `${what} is not known to this wrapper, or needs the session mode of the pipe. Update the wrapper, and connect to it without the classic mode.`
        : `The wrapper speaks version ${wrapperProtocol} of the session mode, which this program does not know. Update this program.`,
    )
    this.wrapperProtocol = wrapperProtocol
  }
}

/** This user has no installed wrapper, or never started it. Install it, and start it once. */
export class PipeNotInstalledError extends PipeError<'ERR_PIPE_NOT_INSTALLED'> {
  readonly code = 'ERR_PIPE_NOT_INSTALLED'
  readonly shouldRetry = false
}

/** The executable of the wrapper could not be started, or did not take the launch. */
export class PipeStartError extends PipeError<'ERR_PIPE_START'> {
  readonly code = 'ERR_PIPE_START'
  readonly shouldRetry = false
  /** Exit code of the executable: 2 if the wrapper refused the launch. `undefined` if it was not started or did not end. */
  readonly exitCode: number | undefined

  constructor(message: string, exitCode?: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** More events wait unread than the iteration allows. Read faster, or ask for fewer events or a longer queue. */
export class PipeOverflowError extends PipeError<'ERR_PIPE_OVERFLOW'> {
  readonly code = 'ERR_PIPE_OVERFLOW'
  readonly shouldRetry = false
  /** Most events that may wait unread. */
  readonly maxQueued: number

  constructor(maxQueued: number) {
    super(`More than ${maxQueued} events of the wrapper waited unread. Those after them are lost.`)
    this.maxQueued = maxQueued
  }
}
