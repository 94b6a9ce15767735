import * as z from 'zod/mini'
import { described } from '../schema/facts.ts'
import { object } from '../schema/object.ts'

const processId = z.int().check(z.gte(1))
const secret = z.string().check(z.regex(/^[0-9a-f]{64}$/))

/** The JSON file that a running wrapper publishes for programs of its user (design: finding and trusting). */
export const wrapperRecordSchema = object({
  pid: described(processId, 'Process id of the wrapper. Ignore the record of a process that has ended'),
  desktop: described(
    z.string(),
    'The display on Linux (`DISPLAY` without the screen, else `WAYLAND_DISPLAY`), the number at the end of `TEMP` on a terminal server with Windows, else empty. Take the record of your own desktop',
  ),
  version: described(z.string(), 'Version of the wrapper, four numbers'),
  address: described(
    z.string(),
    'Private address: the path of a Unix socket, or `\\\\.\\pipe\\<name>` with a random name',
  ),
  key: described(
    object({
      ask: described(secret, 'The client sends it first. The wrapper answers nothing else'),
      answer: described(
        secret,
        'The wrapper sends it back. If it does not, send nothing more and report an incident',
      ),
    }),
    'Two secrets of 64 hexadecimal digits, new at each start of the wrapper',
  ),
})

/** See {@link wrapperRecordSchema}. */
export type WrapperRecord = Readonly<z.output<typeof wrapperRecordSchema>>
