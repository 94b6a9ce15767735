/**
 * Reads UTF-8 text, and stops with the chunk that makes it too large. The caller cancels the rest.
 *
 * @returns `undefined` as soon as it is known to be larger than `maxBytes`
 * @throws the failure of the stream
 */
export async function readBoundedText(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  maxBytes: number,
): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) return undefined
    text += decoder.decode(value, { stream: true })
  }
}

/** {@link readBoundedText} for the body of a response; cancels the rest of one that is too large. */
export async function readBoundedBody({ body }: Response, maxBytes: number): Promise<string | undefined> {
  const reader = body?.getReader()
  if (!reader) return ''
  const text = await readBoundedText(reader, maxBytes)
  // Not awaited: a server that stalls could hold it up.
  if (text === undefined) reader.cancel().catch(() => undefined)
  return text
}
