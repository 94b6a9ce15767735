/** The greeting of a relay: zero-terminated texts, the last one empty. */
export class RelayGreeting {
  #bytes = Buffer.alloc(0)

  /** The texts so far. */
  readonly texts: string[] = []

  /** Takes a chunk. @returns the bytes after the greeting, once it is complete */
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
