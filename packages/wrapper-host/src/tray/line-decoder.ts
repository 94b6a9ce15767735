/** Cuts a stream of text into lines. */
export class LineDecoder {
  readonly #maxLineLength: number
  #rest = ''

  /** @param maxLineLength longest line, in UTF-16 units, without its end */
  constructor(maxLineLength: number) {
    this.#maxLineLength = maxLineLength
  }

  /**
   * Takes the next piece.
   *
   * @returns the lines that it completes, without their ends; `undefined` when one is too long: nothing may follow then
   */
  push(text: string): readonly string[] | undefined {
    const lines = (this.#rest + text).split('\n')
    const isTooLong = lines.some(line => line.length > this.#maxLineLength)
    this.#rest = lines.pop() ?? ''
    return isTooLong ? undefined : lines
  }
}
