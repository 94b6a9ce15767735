import * as z from 'zod/mini'
import { WebAppError } from '../errors/command-error.ts'
import type { CommandReply } from './command-table.ts'

const textSchema = z.string()

/**
 * Reads what a wrapper answers or tells.
 *
 * @param problem sentence of the error
 * @returns `undefined` where nothing is expected
 * @throws {WebAppError} if it has another shape
 */
export function readReply(reply: CommandReply, value: unknown, problem: string): unknown {
  if (reply === 'none') return undefined
  const read = z.safeParse(reply === 'text' ? textSchema : reply, value)
  if (!read.success) throw new WebAppError(problem)
  return read.data
}
