import * as z from 'zod/mini'
import { withJson } from '../schema/facts.ts'
import { missingOr, trimmedText } from '../schema/text-field.ts'
import { readWrittenBirthDate } from './parse-date.ts'

const dateSchema = withJson(
  z.string({ error: missingOr('must be text') }).check(
    z.check<string>(({ value, issues }) => {
      const { problem } = readWrittenBirthDate(value)
      if (problem !== undefined) issues.push({ code: 'custom', message: problem, input: value })
    }),
  ),
  { format: 'date' },
)

/** What a person holds in the fields that are one text. A program that only writes these bundles no other schema. */
export const textKinds = {
  id: trimmedText,
  text: trimmedText,
  /** `YYYY-MM-DD`, in a year from 1700 to 2399. */
  date: dateSchema,
  gender: z.enum(['female', 'male']),
}
