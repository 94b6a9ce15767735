import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'

/**
 * Streams items as JSON until the page leaves or the server ends. `listen` gets the function that sends an item, and
 * returns the one that removes it.
 */
export const streamItems = <Item>(
  c: Context,
  ending: AbortSignal,
  listen: (send: (item: Item) => void) => () => void,
) =>
  streamSSE(c, async stream => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    stream.onAbort(end)
    const onEnding = () => end()
    ending.addEventListener('abort', onEnding)
    const stop = listen(item => void stream.writeSSE({ data: JSON.stringify(item) }))
    if (!ending.aborted) await ended
    stop()
    ending.removeEventListener('abort', onEnding)
  })
