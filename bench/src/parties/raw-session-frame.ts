/** Makes a frame whose body begins with a number. */
export function frameWithNumber(number: number, bodyBytes: number): Buffer {
  const frame = Buffer.allocUnsafe(4 + bodyBytes)
  frame.writeInt32LE(bodyBytes, 0)
  frame.writeInt32LE(number, 4)
  return frame
}

/** Cuts a stream into frames by hand, as little as it takes. */
export class FrameCutter {
  #rest: Buffer = Buffer.alloc(0)

  /** @param onBody told of the bytes and where in them a body begins */
  push(chunk: Buffer, onBody: (bytes: Buffer, at: number) => void): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    let at = 0
    while (bytes.length - at >= 4) {
      const end = at + 4 + bytes.readInt32LE(at)
      if (bytes.length < end) break
      onBody(bytes, at + 4)
      at = end
    }
    this.#rest = bytes.subarray(at)
  }
}
