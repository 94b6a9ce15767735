import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { listWrapperRecords } from '@service-link/pipe-client/records'
import * as z from 'zod/mini'

/** The wrapper whose log is followed, or nothing while none runs. */
export type WrapperState = { readonly pid: number; readonly version: string } | undefined

/** A line of the debug log: a launch, a file, a frame or a call of the bridge, once it has ended. */
export type Exchange = z.output<typeof exchangeSchema>

export const kinds = ['launch', 'file', 'frame', 'bridge'] as const

const exchangeSchema = z.object({
  event: z.literal('exchange'),
  time: z.string(),
  pid: z.int(),
  exchange: z.int(),
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

/** What the page gets: the wrapper when it changes, and each exchange. */
export type LogItem =
  | { readonly type: 'wrapper'; readonly wrapper: WrapperState }
  | { readonly type: 'exchange'; readonly exchange: Exchange }

/** Exchanges that a page gets when it opens. */
const keptCount = 400

const pauseMs = 250

/** Follows the log of the wrapper of a per-user folder, and of the next one when it ends, until the signal aborts. */
export function followLog({
  userFolder,
  signal,
}: {
  readonly userFolder: string
  readonly signal: AbortSignal
}) {
  const file = join(userFolder, 'logs', 'wrapper.log')
  const recent: Exchange[] = []
  const listeners = new Set<(item: LogItem) => void>()
  let wrapper: WrapperState
  let offset = 0
  let rest = ''
  const tell = (item: LogItem) => {
    for (const listener of listeners) listener(item)
  }
  const findWrapper = () => {
    const [found] = listWrapperRecords(userFolder)
    if (found?.pid === wrapper?.pid) return
    wrapper = found && { pid: found.pid, version: found.version }
    tell({ type: 'wrapper', wrapper })
  }
  const readMore = async () => {
    const { size } = await stat(file)
    // The full log has become another file.
    if (size < offset) offset = 0
    if (size === offset) return
    await using opened = await open(file)
    const { bytesRead, buffer } = await opened.read(Buffer.alloc(size - offset), 0, size - offset, offset)
    offset += bytesRead
    const lines = (rest + buffer.toString('utf8', 0, bytesRead)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const exchange = readLine(line)
      if (!exchange) continue
      recent.push(exchange)
      if (recent.length > keptCount) recent.shift()
      tell({ type: 'exchange', exchange })
    }
  }
  const follow = async () => {
    while (!signal.aborted) {
      findWrapper()
      // Without a wrapper there may be no log.
      await readMore().catch(() => undefined)
      await wait(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
  void follow()
  return {
    /** Adds a listener, which gets the wrapper and the last exchanges first. The function returned removes it. */
    listen(listener: (item: LogItem) => void): () => void {
      listener({ type: 'wrapper', wrapper })
      for (const exchange of recent) listener({ type: 'exchange', exchange })
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function readLine(line: string): Exchange | undefined {
  try {
    return exchangeSchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}
