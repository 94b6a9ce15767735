/** What a relay says first: its texts, each with a zero at its end, and an empty one as the last. */
export class RelayGreeting {
  #bytes = Buffer.alloc(0)

  /** The texts so far. */
  readonly texts: string[] = []

  /** Takes what has come. @returns what follows on the greeting, once that is complete */
  push(bytes: Uint8Array): Uint8Array | undefined {
    this.#bytes = Buffer.concat([this.#bytes, bytes])
    for (;;) {
      const end = this.#bytes.indexOf(0)
      if (end < 0) return undefined
      const text = this.#bytes.subarray(0, end).toString('utf8')
      this.#bytes = this.#bytes.subarray(end + 1)
      if (text === '') return this.#bytes
      this.texts.push(text)
    }
  }
}
