import { z } from 'zod'
import { ArgsError } from '../errors/command-error.ts'
import { foldMembers, indexNames, type NameIndex } from '../text/fold-names.ts'
import { issuesOf } from '../text/issues.ts'

/** How the arguments of one schema are read; made when they first are. */
interface ArgsReader {
  readonly schema: z.ZodType
  readonly index: NameIndex
}

const readers = new Map<z.ZodObject, ArgsReader>()

function readerOf(schema: z.ZodObject): ArgsReader {
  let reader = readers.get(schema)
  if (!reader) {
    reader = { schema: z.compile<z.ZodType>(schema), index: indexNames(Object.keys(schema.shape)) }
    readers.set(schema, reader)
  }
  return reader
}

/**
 * Parses arguments as they travel on the pipe. Names are matched without regard to case, those that the schema does not
 * know are ignored.
 *
 * @param schema of a row of a table; what is derived from it is kept for as long as the process lives
 * @param rawArgs the `Args` member; missing and null count as no arguments
 * @throws {ArgsError} naming each argument that is missing, ambiguous or of the wrong type
 */
export function parseArgs<Schema extends z.ZodObject>(schema: Schema, rawArgs: unknown): z.output<Schema> {
  const args = rawArgs ?? {}
  if (typeof args !== 'object' || Array.isArray(args))
    throw new ArgsError([{ path: '', problem: 'Args must be an object' }])
  const reader = readerOf(schema)
  const { known, issues } = foldMembers(args, reader.index)
  const parsed = reader.schema.safeParse(known)
  if (issues.length > 0 || !parsed.success)
    throw new ArgsError([...issues, ...(parsed.success ? [] : issuesOf(parsed.error))])
  return parsed.data as z.output<Schema>
}
