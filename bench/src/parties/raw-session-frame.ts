/** Makes a frame whose body is a number, a space and a text. */
export function frameWithNumber(number: number, text: string): Buffer {
  const body = `${number} ${text}`
  const length = Buffer.byteLength(body)
  const frame = Buffer.allocUnsafe(4 + length)
  frame.writeInt32LE(length)
  frame.write(body, 4)
  return frame
}

/** Cuts a stream into the texts of its frames by hand, as little as it takes. */
export class FrameCutter {
  #rest: Buffer = Buffer.alloc(0)

  push(chunk: Buffer, onText: (text: string) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (bytes.length - at >= 4) {
      const end = at + 4 + bytes.readInt32LE(at)
      if (bytes.length < end) break
      onText(bytes.toString('utf8', at + 4, end))
      at = end
    }
    this.#rest = bytes.subarray(at)
  }
}
