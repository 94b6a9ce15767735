import { setTimeout as wait } from 'node:timers/promises'
import { connectWrapper, PipeNotFoundError, PipeUnsupportedError } from '@service-link/pipe-client'
import type { Brand, Traffic } from '@service-link/protocol-core'

/** The wrapper whose tap is read, or why none is. */
export type WatchState =
  | { readonly kind: 'watching'; readonly pid: number; readonly version: string }
  | { readonly kind: 'waiting'; readonly reason: string }

/** What the page gets: the state when it changes, and each message. */
export type WatchItem =
  | { readonly type: 'state'; readonly state: WatchState }
  | { readonly type: 'message'; readonly message: Traffic }

/** Messages that a page gets when it opens. */
const keptCount = 400

const pauseMs = 300

export type TrafficWatch = ReturnType<typeof watchTraffic>

/** Reads the tap of the wrapper of a per-user folder, and of the next one when it ends, until the signal aborts. */
export function watchTraffic({
  signal,
  ...place
}: {
  readonly userFolder: string
  readonly brand?: Brand
  readonly signal: AbortSignal
}) {
  const recent: Traffic[] = []
  const listeners = new Set<(item: WatchItem) => void>()
  let state: WatchState = { kind: 'waiting', reason: 'No wrapper runs.' }
  const tell = (item: WatchItem) => {
    for (const listener of listeners) listener(item)
  }
  const become = (next: WatchState) => {
    const isSame = JSON.stringify(next) === JSON.stringify(state)
    state = next
    if (!isSame) tell({ type: 'state', state })
  }
  const read = async () => {
    await using client = await connectWrapper({ ...place, reconnect: false, signal })
    const messages = client.events({ events: ['traffic'], signal, maxQueued: 10_000 })[Symbol.asyncIterator]()
    let next = messages.next()
    // Without a tap the first read fails.
    await Promise.race([client.status({ signal }), next])
    const { pid, version = '' } = client.wrapper
    become({ kind: 'watching', pid, version })
    for (;;) {
      const { done, value } = await next
      if (done) return
      recent.push(value.message)
      if (recent.length > keptCount) recent.shift()
      tell({ type: 'message', message: value.message })
      next = messages.next()
    }
  }
  const keepReading = async () => {
    while (!signal.aborted) {
      const problem = await read().catch((error: unknown) => error)
      become({ kind: 'waiting', reason: reasonOf(problem) })
      await wait(pauseMs, undefined, { signal }).catch(() => undefined)
    }
  }
  void keepReading()
  return {
    get state() {
      return state
    },
    /** Adds a listener, which gets the state and the last messages first. The function returned removes it. */
    listen(listener: (item: WatchItem) => void): () => void {
      listener({ type: 'state', state })
      for (const message of recent) listener({ type: 'message', message })
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function reasonOf(problem: unknown): string {
  if (problem === undefined || problem instanceof PipeNotFoundError) return 'No wrapper runs.'
  if (problem instanceof PipeUnsupportedError)
    return 'The wrapper runs without its tap. Start it with SERVICE_WRAPPER_TAP=true.'
  return 'The connection to the wrapper broke.'
}
