import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as z from 'zod/mini'

/** A line of the debug log: a launch, a file, a frame or a call of the bridge, once it has ended. */
export type Exchange = z.output<typeof exchangeSchema>

export const kinds = ['launch', 'file', 'frame', 'bridge'] as const

const exchangeSchema = z.object({
  event: z.literal('exchange'),
  time: z.string(),
  pid: z.int(),
  exchange: z.int(),
  /** The exchange that caused it. */
  within: z.optional(z.int()),
  kind: z.enum(kinds),
  direction: z.enum(['in', 'out']),
  name: z.optional(z.string()),
  connection: z.optional(z.int()),
  bytes: z.int(),
  args: z.optional(z.string()),
  outcome: z.string(),
  durationMs: z.number(),
  replyBytes: z.optional(z.int()),
})

/** Most exchanges of one answer. */
const mostExchanges = 400

/**
 * Reads the exchanges of the wrapper's debug log.
 *
 * @param from where the last reading ended; for any other number, the start
 * @returns the exchanges after it, and where they end
 */
export async function readLog(userFolder: string, from: number) {
  const file = join(userFolder, 'logs', 'wrapper.log')
  // Without a wrapper there may be no log.
  const { size } = await stat(file).catch(() => ({ size: 0 }))
  // The full log has become another file.
  const start = Number.isInteger(from) && from >= 0 && from <= size ? from : 0
  if (size === start) return { exchanges: [], end: start }
  const added = await text(createReadStream(file, { start }))
  const whole = added.slice(0, added.lastIndexOf('\n') + 1)
  const exchanges = whole.split('\n').flatMap(line => readLine(line) ?? [])
  return { exchanges: exchanges.slice(-mostExchanges), end: start + Buffer.byteLength(whole) }
}

function readLine(line: string): Exchange | undefined {
  try {
    return exchangeSchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
