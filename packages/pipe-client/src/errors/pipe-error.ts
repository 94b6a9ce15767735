import { type CommandErrorCode, ServiceLinkError } from '@service-link/protocol-core/errors'

/**
 * Every code of a {@link PipeError}. Beside them this package passes `ERR_FRAME` on, the `FrameError` of protocol-core, for
 * arguments that are longer than a wrapper accepts. Codes are API: never renamed, never reused.
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
  /**
   * Whether the same call may be made again as it is: it cannot have had an effect, and may succeed without anything
   * else being done in the program or on the machine than waiting.
   */
  abstract readonly shouldRetry: boolean
}

/** No wrapper of this user and login session is running, or the one that was asked for is not. Start it, then call again. */
export class PipeNotFoundError extends PipeError<'ERR_PIPE_NOT_FOUND'> {
  readonly code = 'ERR_PIPE_NOT_FOUND'
  readonly shouldRetry = false
  /** The process id that was asked for; `undefined` when any wrapper would have done. */
  readonly pid: number | undefined
  /** Wrappers that this user runs in other login sessions; they are not taken unless their process id is given. */
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
  return `No wrapper runs in the login session that is meant: this one, or that of the wrapper that was connected to first. This user has others elsewhere, as processes ${otherSessionPids.join(', ')}. Start one there, or give the process id.`
}

/** Several wrappers of this user can be meant, and none was named: a person must never appear in the wrong one. */
export class PipeAmbiguousError extends PipeError<'ERR_PIPE_AMBIGUOUS'> {
  readonly code = 'ERR_PIPE_AMBIGUOUS'
  readonly shouldRetry = false
  /** Process ids of the wrappers that can be meant. */
  readonly pids: readonly number[]

  constructor(pids: readonly number[]) {
    super(`Several wrappers are running, as processes ${pids.join(', ')}. Give the process id of one.`)
    this.pids = pids
  }
}

/**
 * The operating system does not let this user open the pipe; what is there is not a pipe; what answers on it says that it is
 * another process than the one whose name the pipe has; or another user can have written what would be read or started to launch a
 * wrapper. On Linux and macOS also: the socket belongs to another user.
 */
export class PipeDeniedError extends PipeError<'ERR_PIPE_DENIED'> {
  readonly code = 'ERR_PIPE_DENIED'
  readonly shouldRetry = false
}

/**
 * What answers at the address of a wrapper's record did not prove to be that wrapper, as after the end of a killed one.
 * Nothing was sent to it but the question. Trying again does not help: have an administrator find out which process it is,
 * and of which user.
 */
export class PipeUnprovenError extends PipeError<'ERR_PIPE_UNPROVEN'> {
  readonly code = 'ERR_PIPE_UNPROVEN'
  readonly shouldRetry = false
  /** The process id in the record; what answers may be another process. */
  readonly pid: number

  constructor(pid: number) {
    super(
      `What answers in the place of process ${pid} did not prove to be a wrapper of this user. No command was sent to it. This is an incident: tell your administrator.`,
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
  /** Whether the wrapper may have taken the command; then its effect is not known. */
  readonly wasSent: boolean

  /**
   * @param missing what did not come about, as the beginning of a sentence, when nothing was sent. Default: a connection
   */
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

/** The connection broke, or ended without the reply that the command has. */
export class PipeClosedError extends PipeError<'ERR_PIPE_CLOSED'> {
  readonly code = 'ERR_PIPE_CLOSED'
  readonly shouldRetry: boolean
  /** Whether the wrapper may have taken the command; then its effect is not known. */
  readonly wasSent: boolean
  /** The operating system's name of the failure, such as `ECONNRESET`, where there is one. */
  readonly systemCode: string | undefined

  /**
   * @param isFinal whether the client makes no other connection: it was disconnected, or shall not connect again
   */
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
 * What came back is not a reply to the command: no frame, one that is too long, not JSON, or of another shape. In the session mode
 * this can end the connection, and with it all calls that were pending.
 */
export class PipeReplyError extends PipeError<'ERR_PIPE_REPLY'> {
  readonly code = 'ERR_PIPE_REPLY'
  readonly shouldRetry: boolean
  /** Whether the wrapper may have taken the command; then its effect is not known. */
  readonly wasSent: boolean

  /** @param shouldRetry whether another connection may go better; only for what was not sent */
  constructor(message: string, wasSent = true, shouldRetry = false) {
    super(message)
    this.wasSent = wasSent
    this.shouldRetry = shouldRetry && !wasSent
  }
}

/** The wrapper answered that it did not carry the command out. */
export class PipeRefusedError extends PipeError<'ERR_PIPE_REFUSED'> {
  readonly code = 'ERR_PIPE_REFUSED'
  readonly shouldRetry: boolean
  /** The wrapper's own code. */
  readonly commandCode: CommandErrorCode

  /**
   * @param sentence the wrapper's explanation
   */
  constructor(commandCode: CommandErrorCode, sentence: string) {
    super(`${sentence} (${commandCode})`)
    this.commandCode = commandCode
    this.shouldRetry = commandCode === 'ERR_NOT_SIGNED_IN' || commandCode === 'ERR_BUSY'
  }
}

/** The wrapper is older than the pipe interface (specification 8: at least 2.1.4.19787). Update it. */
export class PipeTooOldError extends PipeError<'ERR_PIPE_TOO_OLD'> {
  readonly code = 'ERR_PIPE_TOO_OLD'
  readonly shouldRetry = false
  /** The version that the wrapper told, four numbers. */
  readonly wrapperVersion: string

  constructor(wrapperVersion: string, minimum: string) {
    super(`The wrapper has version ${wrapperVersion}; at least ${minimum} is needed. Update the wrapper.`)
    this.wrapperVersion = wrapperVersion
  }
}

/**
 * What was called needs the session mode, and this client has the classic mode; or the wrapper does not know an event, or
 * speaks a later session mode than this program, which is to be updated.
 */
export class PipeUnsupportedError extends PipeError<'ERR_PIPE_UNSUPPORTED'> {
  readonly code = 'ERR_PIPE_UNSUPPORTED'
  readonly shouldRetry = false
  /** Version of the session mode that the wrapper speaks, where this program does not know it. */
  readonly wrapperProtocol: number | undefined

  /**
   * @param what is not known to the wrapper, as the subject of a sentence
   * @param wrapperProtocol see the member
   */
  constructor(what: string, wrapperProtocol?: number) {
    super(
      wrapperProtocol === undefined
        ? `${what} is not known to this wrapper, or needs the session mode of the pipe. Update the wrapper, and connect to it without the classic mode.`
        : `The wrapper speaks version ${wrapperProtocol} of the session mode, which this program does not know. Update this program.`,
    )
    this.wrapperProtocol = wrapperProtocol
  }
}

/** No wrapper is installed for this user, as far as it has been started once. Install it, and start it once. */
export class PipeNotInstalledError extends PipeError<'ERR_PIPE_NOT_INSTALLED'> {
  readonly code = 'ERR_PIPE_NOT_INSTALLED'
  readonly shouldRetry = false
}

/** The wrapper's executable could not be started, or did not take the launch. */
export class PipeStartError extends PipeError<'ERR_PIPE_START'> {
  readonly code = 'ERR_PIPE_START'
  readonly shouldRetry = false
  /** The executable's exit code: 2 when the wrapper refused the launch; `undefined` when it was not started or did not end. */
  readonly exitCode: number | undefined

  constructor(message: string, exitCode?: number) {
    super(message)
    this.exitCode = exitCode
  }
}

/** More events waited unread than the iteration allows. Read faster, or ask for fewer events or a longer queue. */
export class PipeOverflowError extends PipeError<'ERR_PIPE_OVERFLOW'> {
  readonly code = 'ERR_PIPE_OVERFLOW'
  readonly shouldRetry = false
  /** How many events may wait unread. */
  readonly maxQueued: number

  constructor(maxQueued: number) {
    super(`More than ${maxQueued} events of the wrapper waited unread. Those after them are lost.`)
    this.maxQueued = maxQueued
  }
}
