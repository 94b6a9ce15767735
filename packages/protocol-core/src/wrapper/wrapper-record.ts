import * as z from 'zod/mini'
import { described } from '../schema/facts.ts'
import { object } from '../schema/object.ts'

/** The highest number means every process to Windows. */
export const processIdSchema = z.int().check(z.gte(1), z.lte(2 ** 32 - 2))
const secret = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/** The JSON file that a running wrapper publishes for programs of its user (design: finding and trusting). */
export const wrapperRecordSchema = object({
  pid: described(processIdSchema, 'Process id of the wrapper'),
  browserPid: described(z.optional(processIdSchema), 'Process id of the browser, which owns the window'),
  desktop: described(z.string(), 'Desktop of its user'),
  version: described(z.string(), 'Version of the wrapper, four numbers'),
  address: described(z.string(), 'Private address'),
  key: described(
    object({
      ask: described(secret, 'Sent by the client'),
      answer: described(secret, 'Sent by the wrapper'),
    }),
    'Two secrets, new at each start',
  ),
})

/** See {@link wrapperRecordSchema}. */
export type WrapperRecord = Readonly<z.output<typeof wrapperRecordSchema>>
