import * as z from 'zod/mini'
import { ArgsError, type ArgsIssue, JsonError, MethodError } from '../errors/command-error.ts'
import { isObject } from '../errors/parameter-error.ts'
import { decodeJson } from '../frame/frame.ts'
import { described, withJson } from '../schema/facts.ts'
import { looseObject } from '../schema/object.ts'
import { readBy } from '../schema/read.ts'
import { missingOr } from '../schema/text-field.ts'
import { foldMembers, indexNames } from '../text/fold-names.ts'
import { findTextProblem } from '../text/text-rules.ts'

/** Longest id that is text, in characters (Unicode code points). */
export const maxSessionIdLength = 64

const idProblem = `must be an integer or a text of 1 to ${maxSessionIdLength} characters`

const idText = withJson(
  z.string().check(
    z.check(({ value, issues }) => {
      const message = value === '' ? idProblem : findTextProblem(value, maxSessionIdLength)
      // Not the problem of the union: this one is more exact.
      if (message) issues.push({ code: 'custom', message, input: value, continue: true })
    }),
  ),
  { minLength: 1, maxLength: maxSessionIdLength },
)

/** A safe integer, or a text of 1 to {@link maxSessionIdLength} characters. */
export const sessionIdSchema = described(
  z.union([z.int(), idText], { error: missingOr(idProblem) }),
  `An integer, or a text of 1 to ${maxSessionIdLength} characters`,
)

/**
 * Names a request in session mode, and its reply. Chosen by the client; unique among its requests in flight. The integer 7
 * and the text `7` are two ids.
 */
export type SessionId = z.output<typeof sessionIdSchema>

/** A request of either mode. Method and arguments are read by the tables. */
export const requestSchema = looseObject({
  Id: described(z.nullish(sessionIdSchema), 'Unique among the requests in flight on the connection'),
  Method: described(z.optional(z.unknown()), 'Matched without regard to case'),
  Args: described(
    withJson(z.optional(z.unknown()), { type: ['object', 'null'] }),
    'Arguments of the command or method, see <method>.args.json',
  ),
})

/** A request whose method and arguments are not checked yet. */
export interface RequestEnvelope {
  /** Chosen by a client in session mode; `undefined` in a classic request, which has none. */
  readonly id: SessionId | undefined
  /** The member `Method`, of any type. */
  readonly method: unknown
  /** The member `Args`, of any type; `undefined` when it is missing. */
  readonly args: unknown
  /** `Method` and `Args`, where two spellings have different values; such a request is refused. */
  readonly issues: readonly ArgsIssue[]
}

const members = indexNames(Object.keys(requestSchema.shape))

/**
 * Reads the body of a request of either mode (design: pipe protocol). Names are matched without regard to case, and of
 * members spelled the same the last one counts; members that are not known are ignored, an `Id` of null counts as missing.
 * What `Method` and `Args` hold is checked by `parseClassicCommand` or `parseSessionCall`, so that a failure there can be
 * answered under the request's id.
 *
 * @param body one frame's body
 * @throws {JsonError} when the body is not a JSON object
 * @throws {ArgsError} when the id is not an integer or a text of 1 to 64 characters, or two spellings of it have different
 *   values
 */
export function decodeRequest(body: Uint8Array): RequestEnvelope {
  const value = decodeJson(body)
  if (!isObject(value))
    throw new JsonError('A request must be a JSON object with the members Method and Args.')
  const { known, issues } = foldMembers(value, members)
  if (issues.some(({ path }) => path === 'Id')) throw new ArgsError(issues)
  const reading = readBy(requestSchema, known)
  if (reading.issues) throw new ArgsError(reading.issues)
  const { Id, Method, Args } = reading.value
  return { id: Id ?? undefined, method: Method, args: Args, issues }
}

/**
 * Tells the method of a request.
 *
 * @throws {ArgsError} when two spellings of a member of the request have different values
 * @throws {MethodError} when the method is not text
 */
export function methodOf({ method, issues }: RequestEnvelope): string {
  if (issues.length > 0) throw new ArgsError(issues)
  if (typeof method !== 'string') throw new MethodError('The request has no member Method that is text.')
  return method
}

/** Whether a request has a member `Args`: one that is `undefined` does not travel, and without any there is no `Args`. */
export function hasArgs(args: Readonly<Record<string, unknown>> | undefined): boolean {
  return args !== undefined && Object.values(args).some(value => value !== undefined)
}
