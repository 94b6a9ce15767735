import { keyedFetch } from '@service-link/ui/page-key'

interface ReadItemsOptions<Item> {
  /** Ends the reading. */
  readonly signal: AbortSignal
  /** Called at each new connection. */
  readonly onOpen?: () => void
  readonly onItem: (item: Item) => void
  /** Called when the server does not answer or has ended the stream. It is asked again. */
  readonly onLost: () => void
}

const pauseMs = 2000

/** Reads a stream of items. An `EventSource` could not send the page's key. */
export async function readItems<Item>(path: string, options: ReadItemsOptions<Item>): Promise<void> {
  const { signal, onLost } = options
  while (!signal.aborted) {
    const status = await readOnce(path, options).catch(() => undefined)
    // Without its key the page shows that alone.
    if (signal.aborted || status === 403) return
    onLost()
    await new Promise(resolve => setTimeout(resolve, pauseMs))
  }
}

async function readOnce<Item>(path: string, options: ReadItemsOptions<Item>): Promise<number> {
  const { signal, onOpen, onItem } = options
  const answer = await keyedFetch(path, { signal })
  if (!answer.ok || !answer.body) return answer.status
  onOpen?.()
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return answer.status
    const lines = (rest + value).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onItem(JSON.parse(line))
  }
}
