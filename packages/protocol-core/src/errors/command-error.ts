import { defineError } from './define-error.ts'

/** Codes of a failed command, as they travel in a reply of the pipe (design: pipe protocol, errors). */
export const commandErrorCodes = [
  'ERR_FRAME',
  'ERR_JSON',
  'ERR_METHOD',
  'ERR_ARGS',
  'ERR_NOT_FOUND',
  'ERR_NOT_SIGNED_IN',
  'ERR_TIMEOUT',
  'ERR_WEB_APP',
  'ERR_CLOSING',
  'ERR_BUSY',
  'ERR_CANCELLED',
  'ERR_SUPERSEDED',
] as const

export type CommandErrorCode = (typeof commandErrorCodes)[number]

/**
 * A frame is cut off, or its length is below 1 or above the limit. The connection must end.
 *
 * @remedy Count the length in bytes of UTF-8, not in characters, and stay within 1 MiB for a request.
 * @retry no
 * @seenBy partner's developer
 */
export class FrameError extends defineError('ERR_FRAME', (message: string, declaredBytes?: number) => ({
  message,
  /** The declared length in bytes, if it was read. */
  declaredBytes,
})) {}

/**
 * Bytes that are not UTF-8, or not JSON, or not a JSON object where one is needed.
 *
 * @remedy Send one JSON object in UTF-8, nested at most 128 deep.
 * @retry no
 * @seenBy partner's developer
 */
export class JsonError extends defineError('ERR_JSON') {}

/**
 * A request names no command, or none that this mode of the pipe or this version of the wrapper has.
 *
 * @remedy Look for the name in the list of commands. `queryexercises` and `queryworkouts` need the session mode; update an
 * older wrapper.
 * @retry no
 * @seenBy partner's developer
 */
export class MethodError extends defineError('ERR_METHOD') {}

/** One problem in the input of a command. Never holds the value itself. */
export interface ArgsIssue {
  /** The place, as a dotted path of names as this transport spells them; empty for the whole input. */
  readonly path: string
  /** The problem, as a clause without the value. */
  readonly problem: string
}

/** Most issues that a message lists; the field has them all. */
const maxListedIssues = 10

/**
 * Arguments of a command, a launch, an XML file or a request that are missing, ambiguous, too long or of the wrong type.
 *
 * @remedy Correct each argument that the message or `issues` names. Nothing was done.
 * @retry no
 * @seenBy partner's developer
 */
export class ArgsError extends defineError(
  'ERR_ARGS',
  // `subject` is what is not accepted, as the first words of the message.
  (issues: readonly ArgsIssue[], subject: string = 'Arguments') => ({
    message: `${subject} not accepted: ${describeIssues(issues)}.`,
    /** All issues, in the order of the arguments. */
    issues,
  }),
) {}

function describeIssues(issues: readonly ArgsIssue[]): string {
  const listed = issues
    .slice(0, maxListedIssues)
    .map(({ path, problem }) => (path === '' ? problem : `${path} ${problem}`))
  const restCount = issues.length - listed.length
  return [...listed, ...(restCount > 0 ? [`${restCount} more`] : [])].join('; ')
}

/**
 * The workout or user that the command names does not exist for the signed-in user.
 *
 * @remedy Ask for the users and workouts again: it may have been removed, or belong to another organization.
 * @retry no
 * @seenBy partner's developer, user
 */
export class NotFoundError extends defineError('ERR_NOT_FOUND') {}

/**
 * Nobody signed in to the web app within the time limit, or the user signed out before the web app had begun.
 *
 * @remedy Sign in in the window of the web app, then send the command again. Nothing was done.
 * @retry yes, after the sign-in
 * @seenBy user, partner's developer
 */
export class NotSignedInError extends defineError(
  'ERR_NOT_SIGNED_IN',
  'Nobody is signed in to the web app. Sign in in its window and send the command again.',
) {}

/**
 * The web app did not answer in time. The command may have had an effect, unless the message says that it had none.
 *
 * @remedy Look in the web app whether the command had an effect. Wait 35 seconds for a reply.
 * @retry only if a repetition does no harm
 * @seenBy partner's developer
 */
export class CommandTimeoutError extends defineError(
  'ERR_TIMEOUT',
  (waitedMs: number, message?: string) => ({
    message: message ?? `The web app did not answer within ${Math.round(waitedMs)} ms.`,
    /** The wait, in milliseconds. */
    waitedMs,
  }),
  'CommandTimeoutError',
) {}

/**
 * The web app reported a failure, was not reachable, or broke the contract of its reply.
 *
 * @remedy Look at the page of the web app and at the log of the wrapper. Reload the page if it has crashed.
 * @retry no
 * @seenBy partner's developer, integrator
 */
export class WebAppError extends defineError('ERR_WEB_APP') {}

/**
 * The wrapper is exiting and takes no further command.
 *
 * @remedy Start the wrapper again, or wait for the next one.
 * @retry with the next wrapper
 * @seenBy partner's developer
 */
export class ClosingError extends defineError(
  'ERR_CLOSING',
  'The wrapper is closing and takes no further command.',
) {}

/**
 * The wrapper has too many connections, or too many requests in flight on one. Nothing was done; try again later.
 *
 * @remedy Close connections that nobody uses, and wait for replies before more is sent.
 * @retry yes, after a second
 * @seenBy partner's developer
 */
export class BusyError extends defineError('ERR_BUSY') {}

/**
 * The client abandoned its request, or the user signed out while the web app carried it out. The command may have had an
 * effect.
 *
 * @remedy Look in the web app whether the command had an effect.
 * @retry only if a repetition does no harm
 * @seenBy partner's developer
 */
export class CancelledError extends defineError(
  'ERR_CANCELLED',
  'The request was canceled. Whether the command had an effect is not known.',
) {}

/**
 * A later command, launch or choice of the user decided who is in focus before the web app had drawn this person.
 *
 * @remedy Do nothing: the later choice counts. Never send the earlier person again by yourself.
 * @retry no: another person is meant
 * @seenBy partner's developer
 */
export class SupersededError extends defineError(
  'ERR_SUPERSEDED',
  'Somebody else was chosen before the web app had shown this person, or the person was cleared or the user signed out.',
) {}

/** Every error that a command can fail with. */
export type CommandError =
  | FrameError
  | JsonError
  | MethodError
  | ArgsError
  | NotFoundError
  | NotSignedInError
  | CommandTimeoutError
  | WebAppError
  | ClosingError
  | BusyError
  | CancelledError
  | SupersededError

/** The code of a failure on the wire. An error of no command becomes `ERR_WEB_APP`. */
export function commandCodeOf(code: unknown): CommandErrorCode {
  return commandErrorCodes.find(known => known === code) ?? 'ERR_WEB_APP'
}
