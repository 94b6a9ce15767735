import { z } from 'zod'
import { findTextProblem, missingOr } from '../text/text-field.ts'

/**
 * Names a request in session mode, and its reply. Chosen by the client; unique among its requests in flight. The integer 7
 * and the text `7` are two ids.
 */
export type SessionId = number | string

/** Longest id that is text, in characters (Unicode code points). */
export const maxSessionIdLength = 64

/** What a value is told that is no id. */
export const sessionIdProblem = `must be an integer or a text of 1 to ${maxSessionIdLength} characters`

/** Whether a value can be the id of a request: a safe integer, or a text of 1 to {@link maxSessionIdLength} characters. */
export function isSessionId(value: unknown): value is SessionId {
  if (typeof value === 'string')
    return value !== '' && findTextProblem(value, maxSessionIdLength) === undefined
  return Number.isSafeInteger(value)
}

const sessionIdText = z
  .string()
  .refine(isSessionId, { error: sessionIdProblem })
  .meta({ minLength: 1, maxLength: maxSessionIdLength })

/** See {@link isSessionId}. */
export const sessionIdSchema = z
  .union([z.int(), sessionIdText], { error: missingOr(sessionIdProblem) })
  .describe(`An integer, or a text of 1 to ${maxSessionIdLength} characters`)
