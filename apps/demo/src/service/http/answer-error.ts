import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { Logger } from 'pino'
import { ApiError, apiErrorStatus } from './api-error.ts'

/** Answers every failure as `application/problem+json`; what was not foreseen is logged without the request's data. */
export function answerError(logger: Logger) {
  return (error: unknown, c: Context): Response => {
    if (error instanceof ApiError) {
      const { code, message, issues, candidateIds } = error
      return problem(apiErrorStatus[code], { code, title: message, issues, candidateIds })
    }
    if (error instanceof HTTPException) return error.getResponse()
    const name = error instanceof Error ? error.name : 'unknown'
    const stack = error instanceof Error ? error.stack?.split('\n').slice(1, 6) : undefined
    logger.error({ method: c.req.method, route: c.req.routePath, error: name, stack }, 'request failed')
    return problem(500, { code: 'ERR_INTERNAL', title: 'The service failed. Try again.' })
  }
}

function problem(status: number, content: Readonly<Record<string, unknown>>): Response {
  return Response.json(
    { status, ...content },
    { status, headers: { 'content-type': 'application/problem+json', 'cache-control': 'no-store' } },
  )
}
