import { z } from 'zod'
import { findTextProblem, missingOr } from '../text/text-field.ts'

/**
 * Names a request in session mode, and its reply. Chosen by the client; unique among its requests in flight. The integer 7
 * and the text `7` are two ids.
 */
export type SessionId = number | string

/** Longest id that is text, in characters (Unicode code points). */
export const maxSessionIdLength = 64

const sessionIdProblem = `must be an integer or a text of 1 to ${maxSessionIdLength} characters`

/**
 * Tells why a value cannot be the id of a request; `undefined` when it can: a safe integer, or a text of 1 to
 * {@link maxSessionIdLength} characters.
 */
export function findSessionIdProblem(value: unknown): string | undefined {
  if (typeof value === 'string' && value !== '') return findTextProblem(value, maxSessionIdLength)
  return Number.isSafeInteger(value) ? undefined : sessionIdProblem
}

/** See {@link findSessionIdProblem}. */
export function isSessionId(value: unknown): value is SessionId {
  return findSessionIdProblem(value) === undefined
}

const sessionIdText = z
  .string()
  .refine(isSessionId, { error: ({ input }) => findSessionIdProblem(input) })
  .meta({ minLength: 1, maxLength: maxSessionIdLength })

/** See {@link findSessionIdProblem}. */
export const sessionIdSchema = z
  .union([z.int(), sessionIdText], { error: missingOr(sessionIdProblem) })
  .describe(`An integer, or a text of 1 to ${maxSessionIdLength} characters`)
