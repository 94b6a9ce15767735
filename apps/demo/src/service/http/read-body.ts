import { issuesOf } from '@service-link/protocol-core'
import type { Context } from 'hono'
import type { z } from 'zod'
import { ApiError } from './api-error.ts'

/**
 * Reads a JSON body of a known shape.
 *
 * @throws {ApiError} `ERR_JSON` or `ERR_ARGS`, naming the paths at fault
 */
export async function readBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  let body: unknown
  try {
    body = await c.req.json()
  } catch {
    throw new ApiError('ERR_JSON', 'The body is not JSON.')
  }
  return parseInput(body, schema)
}

/** Reads the query of the address. */
export function readQuery<Schema extends z.ZodType>(c: Context, schema: Schema): z.output<Schema> {
  return parseInput(c.req.query(), schema)
}

/** Reads an id out of the path. */
export function readId(c: Context): number {
  const text = c.req.param('id') ?? ''
  const id = /^\d{1,15}$/.test(text) ? Number(text) : 0
  if (id === 0) throw new ApiError('ERR_NOT_FOUND', 'There is nothing at this address.')
  return id
}

function parseInput<Schema extends z.ZodType>(input: unknown, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(input, { reportInput: true })
  if (parsed.success) return parsed.data
  throw new ApiError('ERR_ARGS', 'The request is not acceptable.', { issues: issuesOf(parsed.error) })
}
