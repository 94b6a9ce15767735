/** What {@link DevToolsDecoder} cuts out of the stream. */
interface DecodedMessages {
  /** Complete messages, as text. */
  readonly messages: readonly string[]
  /** First characters of the messages that were longer than the limit and are lost. */
  readonly oversized: readonly string[]
}

const terminator = 0
/** Enough of a lost message to read the number of the call that it answers: it comes first. */
const keptOfOversized = 64

/**
 * Cuts the browser's byte stream into messages, each ended by a zero byte. A message above the limit is skipped, never
 * held in memory, and the stream goes on: a page that logs a huge text must not end the window.
 */
export class DevToolsDecoder {
  readonly #maxMessageBytes: number
  #pieces: Buffer[] = []
  #length = 0

  /** @param maxMessageBytes longest message in bytes, without its zero byte */
  constructor(maxMessageBytes: number) {
    this.#maxMessageBytes = maxMessageBytes
  }

  /** Takes the next bytes. The chunk is kept without copying where a message is not complete. */
  push(chunk: Buffer): DecodedMessages {
    const messages: string[] = []
    const oversized: string[] = []
    let start = 0
    while (start < chunk.length) {
      const end = chunk.indexOf(terminator, start)
      this.#keep(chunk.subarray(start, end === -1 ? chunk.length : end))
      if (end === -1) break
      const isTooLong = this.#length > this.#maxMessageBytes
      const text = Buffer.concat(this.#pieces).toString('utf8')
      ;(isTooLong ? oversized : messages).push(text)
      this.#pieces = []
      this.#length = 0
      start = end + 1
    }
    return { messages, oversized }
  }

  #keep(piece: Buffer): void {
    const before = this.#length
    this.#length += piece.length
    if (this.#length <= this.#maxMessageBytes) {
      this.#pieces.push(piece)
    } else if (before <= this.#maxMessageBytes) {
      this.#pieces = [
        Buffer.concat([...this.#pieces, piece.subarray(0, keptOfOversized)]).subarray(0, keptOfOversized),
      ]
    }
  }
}
