import { waitFor } from '@service-link/protocol-core/time'

/**
 * Reads the UTF-8 body of a request or response. Cancels the rest if the wait ends, or the body is larger than `maxBytes`: the
 * result is then `undefined`.
 */
export async function readBoundedBody(
  { body }: { readonly body: ReadableStream<Uint8Array> | null },
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> {
  const reader = body?.getReader()
  if (!reader) return ''
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await waitFor(reader.read(), signal)
      if (done) return text + decoder.decode()
      bytes += value.byteLength
      if (bytes > maxBytes) return undefined
      text += decoder.decode(value, { stream: true })
    }
  } finally {
    // Not awaited: a peer that stalls could hold it up.
    reader.cancel().catch(() => undefined)
  }
}
