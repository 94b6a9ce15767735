import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Logger } from 'pino'
import { DatabaseUnavailableError, isUnavailable } from '../database/failures.ts'
import { ApiError, apiErrorStatus } from './api-error.ts'

/** Seconds after which a request that the database could not serve is worth a retry. */
const retryAfterSeconds = 5

/**
 * Answers every failure as `application/problem+json` with the request's id; what was not foreseen is logged under the same
 * id, without the request's data.
 */
export function answerError(logger: Logger) {
  return (thrown: unknown, c: Context): Response => {
    const error = isUnavailable(thrown)
      ? new ApiError('ERR_UNAVAILABLE', new DatabaseUnavailableError().message)
      : thrown
    if (error instanceof ApiError) {
      const { code, message, issues, candidateIds } = error
      const content = { code, title: message, issues, candidateIds }
      return problem(apiErrorStatus[code], randomUUID(), content)
    }
    if (error instanceof HTTPException) return error.getResponse()
    const requestId = randomUUID()
    const name = error instanceof Error ? error.name : 'unknown'
    const stack = error instanceof Error ? callsOf(error) : undefined
    logger.error(
      { requestId, method: c.req.method, route: c.req.routePath, error: name, stack },
      'request failed',
    )
    const content = { code: 'ERR_INTERNAL', title: 'The service failed. Try again.' }
    return problem(500, requestId, content)
  }
}

/** The innermost calls. The stack begins with the message, which may hold the request's data in any number of lines. */
function callsOf({ message, stack = '' }: Error): readonly string[] {
  const at = stack.indexOf(message)
  const calls = at < 0 ? stack : stack.slice(at + message.length)
  return calls
    .split('\n')
    .filter(line => /^\s+at /.test(line))
    .slice(0, 5)
}

function problem(status: number, requestId: string, content: Readonly<Record<string, unknown>>): Response {
  return Response.json(
    { status, ...content, requestId },
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
