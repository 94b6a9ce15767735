/**
 * Reads UTF-8 text, and stops with the chunk that makes it too large. The rest is left to the caller to cancel.
 *
 * @returns `undefined` as soon as it is known to be larger than `maxBytes`
 * @throws what the stream fails with
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
