import { commands, type SessionCallName } from '@service-link/protocol-core'
import {
  type CommandErrorCode,
  defineErrorOf,
  docsUrlOf,
  ServiceLinkError,
} from '@service-link/protocol-core/errors'

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
  readonly shouldRetry: boolean = false
}

const definePipeError = defineErrorOf(PipeError)

/**
 * No wrapper runs on this desktop, or not as the given process. Start it, then call again.
 *
 * @remedy Start the wrapper on this desktop, as this user, or use `startIfNeeded`.
 * @retry no: start it first
 * @seenBy partner's developer, user
 */
export class PipeNotFoundError extends definePipeError(
  'ERR_PIPE_NOT_FOUND',
  (pid?: number, otherDesktopPids: readonly number[] = [], sentence?: string) => ({
    message: sentence ?? describeAbsence(pid, otherDesktopPids),
    /** The process id that the caller gave, if any. */
    pid,
    /** This user's wrappers on other desktops. Give the process id of one to use it. */
    otherDesktopPids,
  }),
) {}

function describeAbsence(pid: number | undefined, otherDesktopPids: readonly number[]): string {
  if (pid !== undefined) return `No wrapper runs as process ${pid}. Start it, or leave the process id out.`
  if (otherDesktopPids.length === 0) return 'No wrapper of this user is running. Start it and try again.'
  return `No wrapper runs on this desktop, or on that of the first connection. Other desktops of this user have the processes ${otherDesktopPids.join(', ')}. Start a wrapper here, or give one of these process ids.`
}

/**
 * Several wrappers of this user are possible. A person must never appear in the wrong one: give the process id.
 *
 * @remedy Give the `pid` of one; `pids` names them.
 * @retry no
 * @seenBy partner's developer
 */
export class PipeAmbiguousError extends definePipeError('ERR_PIPE_AMBIGUOUS', (pids: readonly number[]) => ({
  message: `Several wrappers are running, as processes ${pids.join(', ')}. Give the process id of one.`,
  /** Process ids of the possible wrappers. */
  pids,
})) {}

/**
 * The operating system does not let this user open the pipe, or there is no pipe. Another user can have written the file or the
 * program of a launch. On Linux and macOS also: the socket belongs to another user.
 *
 * @remedy Start wrapper and program both with or both without administrator rights. Install the wrapper where only this user or
 * an administrator may write.
 * @retry no
 * @seenBy partner's developer, administrator
 */
export class PipeDeniedError extends definePipeError('ERR_PIPE_DENIED') {}

/**
 * A process answers at the address of a wrapper's record and is not that wrapper: it may have taken the address of a killed
 * one. It got nothing but the question. Have an administrator find out whose process it is; do not try again.
 *
 * @remedy Report it: it is an incident. An administrator finds out which process it is.
 * @retry no
 * @seenBy administrator, partner's developer
 */
export class PipeUnprovenError extends definePipeError('ERR_PIPE_UNPROVEN', (pid: number) => ({
  message: `The process that answers in the place of process ${pid} did not prove to be a wrapper of this user. No command was sent to it. This is an incident: tell your administrator.`,
  /** Process id in the record. The process that answers may be another. */
  pid,
})) {}

/** Calls that only read: no effect of theirs is in doubt. */
const readingCalls: ReadonlySet<string | undefined> = new Set([
  'hello',
  'version',
  'status',
  'subscribe',
  'getlistofusers',
  'getworkoutsforclient',
] satisfies SessionCallName[])

/** Whether a call may have had an effect once it was sent. */
export function mayHaveEffect(call: string | undefined): boolean {
  return !readingCalls.has(call)
}

/** The end of a sentence about a call that was sent. */
export function tellDoubt(call: SessionCallName | undefined): string {
  return mayHaveEffect(call) ? ' Whether the command had an effect is not known.' : ''
}

/** Time in milliseconds after which the wrapper says that nobody is signed in. */
const signInMs = 30_000

/** The wrapper may wait for a sign-in, and the call did not wait long enough to be told so. */
function tellSignIn(call: SessionCallName | undefined, waitedMs: number): string {
  const waits =
    call !== undefined &&
    // Nobody is in focus where nobody is signed in: it does not wait.
    call !== 'clearperson' &&
    call in commands &&
    commands[call as keyof typeof commands].target === 'page'
  return waits && waitedMs <= signInMs
    ? ` Perhaps nobody is signed in: the wrapper waits ${signInMs} ms for that before it says so.`
    : ''
}

/**
 * The call took longer than its time-out.
 *
 * @remedy Look whether somebody has to sign in. If `wasSent`, look in the web app whether the command had an effect.
 * @retry if not sent, or only reading
 * @seenBy partner's developer
 */
export class PipeTimeoutError extends definePipeError(
  'ERR_PIPE_TIMEOUT',
  // `missing` begins the sentence for a call that was not sent.
  (
    waitedMs: number,
    wasSent: boolean,
    missing: string = 'The wrapper did not accept a connection',
    call?: SessionCallName,
  ) => ({
    message: wasSent
      ? `The wrapper did not answer within ${waitedMs} ms.${tellSignIn(call, waitedMs)}${tellDoubt(call)}`
      : `${missing} within ${waitedMs} ms.`,
    shouldRetry: !(wasSent && mayHaveEffect(call)),
    /** The time-out that elapsed, in milliseconds. */
    waitedMs,
    /** Whether the wrapper may have taken the command. Its effect is not known then. */
    wasSent,
  }),
) {}

/**
 * How a connection ended: it was `lost`; it was lost and this client does not connect again, `final`; or its own program
 * disconnected it.
 */
export type ConnectionEnd = 'lost' | 'final' | 'disconnected'

/**
 * The connection broke, or ended without the reply of the command; or the program itself disconnected the client.
 *
 * @remedy Call again if `shouldRetry`; the client connects anew. If `wasSent`, look in the web app first.
 * @retry if not sent, or only reading, and the client may connect again
 * @seenBy partner's developer
 */
export class PipeClosedError extends definePipeError(
  'ERR_PIPE_CLOSED',
  (wasSent: boolean, systemCode?: string, end: ConnectionEnd = 'lost', call?: SessionCallName) => {
    const reason = systemCode === undefined ? '' : ` (${systemCode})`
    const isOwn = end === 'disconnected'
    const whose = isOwn ? 'The client was disconnected' : 'The wrapper closed the connection'
    const failed = isOwn
      ? 'The client was disconnected. Connect anew with connectWrapper.'
      : `The connection to the wrapper failed${reason}.`
    return {
      message: wasSent ? `${whose} before the reply was complete${reason}.${tellDoubt(call)}` : failed,
      shouldRetry: end === 'lost' && !(wasSent && mayHaveEffect(call)),
      /** Whether the wrapper may have taken the command. Its effect is not known then. */
      wasSent,
      /** The operating system's name of the failure, such as `ECONNRESET`, if there is one. */
      systemCode,
    }
  },
) {}

/**
 * The wrapper sent bytes that are not a reply to the command: no frame, too long, not JSON, or of another shape. In the session
 * mode this can end the connection and all pending calls.
 *
 * @remedy Update wrapper and program. If `wasSent`, look in the web app whether the command had an effect.
 * @retry if not sent, and the client may connect again
 * @seenBy partner's developer
 */
export class PipeReplyError extends definePipeError(
  'ERR_PIPE_REPLY',
  // `shouldRetry`: another connection may succeed. Ignored if the command was sent.
  (message: string, wasSent: boolean = true, shouldRetry: boolean = false) => ({
    message,
    shouldRetry: shouldRetry && !wasSent,
    /** Whether the wrapper may have taken the command. Its effect is not known then. */
    wasSent,
  }),
) {}

/**
 * The wrapper did not carry out the command, and says why.
 *
 * @remedy Look up `commandCode`, whose entry `docsUrl` names.
 * @retry if it is `ERR_NOT_SIGNED_IN` or `ERR_BUSY`
 * @seenBy partner's developer
 */
export class PipeRefusedError extends definePipeError(
  'ERR_PIPE_REFUSED',
  (commandCode: CommandErrorCode, sentence: string) => ({
    message: `${sentence} (${commandCode})`,
    shouldRetry: commandCode === 'ERR_NOT_SIGNED_IN' || commandCode === 'ERR_BUSY',
    /** The wrapper's own code. */
    commandCode,
  }),
) {
  /** The entry of `commandCode`. */
  override get docsUrl(): string {
    return docsUrlOf(this.commandCode)
  }
}

/**
 * The wrapper is older than the pipe interface, which begins with version 2.1.4.19787.
 *
 * See spec 8.
 *
 * @remedy Update the wrapper.
 * @retry no
 * @seenBy administrator, partner's developer
 */
export class PipeTooOldError extends definePipeError(
  'ERR_PIPE_TOO_OLD',
  (wrapperVersion: string, minimum: string) => ({
    message: `The wrapper has version ${wrapperVersion}; at least ${minimum} is needed. Update the wrapper.`,
    /** Version of the wrapper, four numbers. */
    wrapperVersion,
  }),
) {}

/**
 * The call needs the session mode, and this client uses the classic mode. Or the wrapper does not know an event. Or the wrapper
 * speaks a later session mode than this program: update the program.
 *
 * @remedy Update the wrapper to 3.0.0.0 or newer, and leave out `mode: 'classic'`. If `wrapperProtocol` is there, update your
 * program.
 * @retry no
 * @seenBy partner's developer, administrator
 */
export class PipeUnsupportedError extends definePipeError(
  'ERR_PIPE_UNSUPPORTED',
  // `what` is the subject of the sentence: the call or event.
  (what: string, wrapperProtocol?: number) => ({
    message:
      wrapperProtocol === undefined
        ? `${what} is not known to this wrapper, or needs the session mode of the pipe. Update the wrapper to version 3.0.0.0 or newer, and connect to it without the option mode: 'classic'.`
        : `The wrapper speaks version ${wrapperProtocol} of the session mode, which this program does not know. Update this program.`,
    /** Version of the wrapper's session mode, if this program does not know it. */
    wrapperProtocol,
  }),
) {}

/** The error of a call that the wrapper refused. One that does not know a call of this program is older. */
export function refusalOf(call: SessionCallName, code: CommandErrorCode, sentence: string): PipeError {
  return code === 'ERR_METHOD' ? new PipeUnsupportedError(call) : new PipeRefusedError(code, sentence)
}

/**
 * This user has no installed wrapper, or never started it. Install it, and start it once.
 *
 * @remedy Install the wrapper, and start it once as this user.
 * @retry no
 * @seenBy administrator, user
 */
export class PipeNotInstalledError extends definePipeError('ERR_PIPE_NOT_INSTALLED') {}

/**
 * The executable of the wrapper could not be started, or did not take the launch.
 *
 * @remedy Read the message: with `exitCode` 2 the wrapper refused the launch and said why.
 * @retry no
 * @seenBy partner's developer, administrator
 */
export class PipeStartError extends definePipeError(
  'ERR_PIPE_START',
  (message: string, exitCode?: number) => ({
    message,
    /** Exit code of the executable: 2 if the wrapper refused the launch. `undefined` if it was not started or did not end. */
    exitCode,
  }),
) {}

/**
 * More events wait unread than the iteration allows. Read faster, or ask for fewer events or a longer queue.
 *
 * @remedy Read faster, ask for fewer events, or raise `maxQueued`.
 * @retry no
 * @seenBy partner's developer
 */
export class PipeOverflowError extends definePipeError('ERR_PIPE_OVERFLOW', (maxQueued: number) => ({
  message: `More than ${maxQueued} events of the wrapper waited unread. Those after them are lost.`,
  /** Most events that may wait unread. */
  maxQueued,
})) {}
