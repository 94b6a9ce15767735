import type { Context } from 'hono'
import { stream } from 'hono/streaming'

/**
 * Streams items, a line of JSON each, until the page leaves or the server ends. `listen` gets the function that sends an
 * item, and returns the one that removes it.
 */
export const streamItems = <Item>(
  c: Context,
  ending: AbortSignal,
  listen: (send: (item: Item) => void) => () => void,
) => {
  c.header('content-type', 'application/jsonl')
  c.header('cache-control', 'no-store')
  return stream(c, async lines => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    lines.onAbort(end)
    const onEnding = () => end()
    ending.addEventListener('abort', onEnding)
    const stop = listen(item => void lines.write(`${JSON.stringify(item)}\n`))
    if (!ending.aborted) await ended
    stop()
    ending.removeEventListener('abort', onEnding)
  })
}
