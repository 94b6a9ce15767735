import { z } from 'zod'
import { missingOr } from '../text/text-field.ts'

/**
 * Names a request in session mode, and its reply. Chosen by the client; unique among its requests in flight. The integer 7
 * and the text `7` are two ids.
 */
export type SessionId = number | string

/** Longest id that is text, in UTF-16 code units. */
export const maxSessionIdLength = 64

/** What a value is told that is no id. */
export const sessionIdProblem = `must be an integer or a text of 1 to ${maxSessionIdLength} characters`

/** Whether a value can be the id of a request: a safe integer, or a text of 1 to {@link maxSessionIdLength} characters. */
export function isSessionId(value: unknown): value is SessionId {
  if (typeof value === 'string') return value.length > 0 && value.length <= maxSessionIdLength
  return Number.isSafeInteger(value)
}

/** See {@link isSessionId}. */
export const sessionIdSchema = z
  .union([z.int(), z.string().min(1).max(maxSessionIdLength)], { error: missingOr(sessionIdProblem) })
  .describe(`An integer, or a text of 1 to ${maxSessionIdLength} characters`)
