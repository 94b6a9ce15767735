import * as z from 'zod/mini'
import type { ArgsIssue } from '../errors/command-error.ts'
import { issuesOf, problemOf } from '../text/issues.ts'

/** What a schema makes of a value, or why it takes none. */
export type Reading<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly value?: undefined; readonly issues: readonly ArgsIssue[] }

/** Reads a value by a schema. The issues are in this project's words and hold nothing of the value, see {@link issuesOf}. */
export function readBy<Schema extends z.core.$ZodType>(
  schema: Schema,
  value: unknown,
): Reading<z.output<Schema>> {
  const { success, data, error } = z.safeParse(schema, value, { error: problemOf })
  return success ? { value: data } : { issues: issuesOf(error) }
}
