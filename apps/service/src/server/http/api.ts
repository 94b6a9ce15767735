import { randomUUID } from 'node:crypto'
import { issuesOf } from '@service-link/protocol-core'
import { type ArgsIssue, docsUrlOf } from '@service-link/protocol-core/errors'
import type { Context, MiddlewareHandler } from 'hono'
import { createMiddleware } from 'hono/factory'
import { HTTPException } from 'hono/http-exception'
import type { Logger } from 'pino'
import * as z from 'zod'
import { DatabaseUnavailableError, isUnavailable, watchDatabase } from '../database/failures.ts'
import { ApiError, apiErrorStatus } from './api-error.ts'
import { errorFacts } from './logger.ts'

export interface Employee {
  readonly accountId: string
  readonly name: string
  readonly email: string
  readonly organizationId: number
  readonly organizationName: string
  readonly sessionId: string
  /** The link that made the session; missing for a log-in with a password. */
  readonly linkId?: string
}

export interface AppEnv {
  Variables: { employee: Employee }
}

const retryAfterSeconds = 5

/**
 * Answers every failure as `application/problem+json` with the request's id. The log has unexpected errors under the
 * same id, without the request's data.
 */
export function answerError(logger: Logger) {
  return (thrown: unknown, c: Context): Response => {
    // An outage inside of `databaseOutage` comes here twice, and is logged once.
    const known: unknown = c.get('outageId')
    const requestId = typeof known === 'string' ? known : randomUUID()
    const isOutage = isUnavailable(thrown)
    const error = isOutage ? new ApiError('ERR_UNAVAILABLE', new DatabaseUnavailableError().message) : thrown
    if (error instanceof HTTPException) return error.getResponse()
    if (isOutage) c.set('outageId', requestId)
    if (isOutage ? known === undefined : !(error instanceof ApiError)) {
      const stack = thrown instanceof Error && !isOutage ? callsOf(thrown) : undefined
      const facts = { requestId, method: c.req.method, route: c.req.routePath, ...errorFacts(thrown), stack }
      logger.error(facts, isOutage ? 'database unavailable' : 'request failed')
    }
    if (error instanceof ApiError) {
      const { code, message, issues } = error
      return problem(apiErrorStatus[code], requestId, { code, title: message, issues })
    }
    const content = { code: 'ERR_INTERNAL', title: 'The service failed. Try again.' }
    return problem(500, requestId, content)
  }
}

/** The innermost calls. The stack begins with the message, which may hold the request's data in several lines. */
function callsOf({ message, stack = '' }: Error): readonly string[] {
  const at = stack.indexOf(message)
  const calls = at < 0 ? stack : stack.slice(at + message.length)
  return calls
    .split('\n')
    .filter(line => /^\s+at /.test(line))
    .slice(0, 5)
}

interface ProblemContent {
  readonly code: string
  readonly title: string
  readonly issues?: readonly ArgsIssue[]
}

function problem(status: number, requestId: string, content: ProblemContent): Response {
  return Response.json(
    { type: docsUrlOf(content.code), status, ...content, requestId },
    {
      status,
      headers: {
        'content-type': 'application/problem+json',
        'cache-control': 'no-store',
        'x-request-id': requestId,
        ...(status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {}),
      },
    },
  )
}

/**
 * Answers with `ERR_UNAVAILABLE` while the database cannot be reached. The log-in library would answer "not signed
 * in" then, and the web app would log everybody out.
 */
export const databaseOutage = createMiddleware<AppEnv>(async (c, next) => {
  try {
    await watchDatabase(next)
  } catch (error) {
    // Drops the library's answer with its cookies, which might end a session.
    if (error instanceof DatabaseUnavailableError) c.res = undefined
    throw error
  }
})

/** A request's input as the web app's client sends it, and as the route gets it by `c.req.valid`. */
type Validated<Place extends 'json' | 'query', Sent, Got> = MiddlewareHandler<
  AppEnv,
  string,
  { in: Readonly<Record<Place, Sent>>; out: Readonly<Record<Place, Got>> }
>

/** Reads a JSON body of a known shape; throws `ERR_JSON` or `ERR_ARGS` with the paths at fault. */
export function jsonBody<Schema extends z.core.$ZodType<object>>(
  schema: Schema,
): Validated<'json', z.input<Schema>, z.output<Schema>> {
  return async (c, next) => {
    let body: unknown
    try {
      body = await c.req.json()
    } catch {
      throw new ApiError('ERR_JSON', 'The body is not JSON.')
    }
    c.req.addValidatedData('json', parseInput(body, schema))
    await next()
  }
}

/** Reads the query of an address; throws `ERR_ARGS`. */
export function addressQuery<Schema extends z.core.$ZodType<object>>(
  schema: Schema,
): Validated<'query', { [Name in keyof z.output<Schema>]?: string | undefined }, z.output<Schema>> {
  return async (c, next) => {
    c.req.addValidatedData('query', parseInput(c.req.query(), schema))
    await next()
  }
}

/** Up to this number the total of a list is exact. A greater one says that there are more. */
export const maxCounted = 1000

/** A part of a list: `limit` records from `offset`. */
export const pageSchema = z.object({
  offset: z.int().min(0).max(1e9).default(0),
  limit: z.int().min(1).max(200).default(50),
})

export type Page = z.output<typeof pageSchema>

/** States the body of a route that does not read it itself. */
export function unreadBody<Sent>(): Validated<'json', Sent, Sent> {
  return (_c, next) => next()
}

/** Greatest id of a record: the databases number rows by 32 bits. */
const maxId = 2 ** 31 - 1

/** The id of no record, which each lookup answers by finding nothing. */
const noId = 0

/** Reads an id as a client sends it: an integer, or its digits. `noId` for all that cannot be the id of a record. */
export function recordIdOf(sent: number | string): number {
  const id = typeof sent === 'number' || /^[1-9]\d*$/.test(sent) ? Number(sent) : noId
  return Number.isInteger(id) && id >= 1 && id <= maxId ? id : noId
}

/** The id of a record in a body. An integer that cannot be one finds nothing, like the id of a deleted record. */
export const recordId = z
  .number()
  .refine(Number.isInteger, { error: 'must be an integer' })
  .transform(recordIdOf)

/** Reads the id in a path; throws `ERR_NOT_FOUND` for text that cannot be one. */
export function readId(c: Context): number {
  const id = recordIdOf(c.req.param('id') ?? '')
  if (id === noId) throw new ApiError('ERR_NOT_FOUND', 'There is nothing at this address.')
  return id
}

function parseInput<Schema extends z.core.$ZodType>(input: unknown, schema: Schema): z.output<Schema> {
  const parsed = z.safeParse(schema, input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new ApiError('ERR_ARGS', 'The request is not acceptable.', issuesOf(parsed.error))
}
