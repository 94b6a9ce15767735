/** The checks of one scenario. A fault is noted, and the scenario goes on. */
export class Checks {
  readonly #faults = new Set<string>()
  #messageCount = 0

  /** A sentence each, none twice. */
  get faults(): readonly string[] {
    return [...this.#faults]
  }

  /** Number of messages that were read by a schema. */
  get messageCount(): number {
    return this.#messageCount
  }

  fail(fault: string): void {
    this.#faults.add(fault)
  }

  /** @param fault sentence for the case that it is not so */
  that(isSo: boolean, fault: string): void {
    if (!isSo) this.fail(fault)
  }

  /** Compares two JSON values. Both are written into the report: pass nothing secret. */
  equal(what: string, found: unknown, expected: unknown): void {
    const [is, shall] = [inOrder(found), inOrder(expected)].map(value => JSON.stringify(value) ?? 'missing')
    this.that(is === shall, `${what}: ${shorten(is)}, not ${shorten(shall)}.`)
  }

  /**
   * Reads a message by its schema.
   *
   * @returns nothing if the schema refuses it
   */
  message<Value>(what: string, read: () => Value): Value | undefined {
    this.#messageCount += 1
    try {
      return read()
    } catch (error) {
      // The words of a parser quote the message.
      const problem = error instanceof SyntaxError ? 'it is not JSON.' : sentenceOf(error)
      this.fail(`${what} does not fit its schema: ${problem}`)
      return undefined
    }
  }
}

/** The sentence of an error, without its cause. */
export const sentenceOf = (error: unknown) => (error instanceof Error ? error.message : 'It failed.')

/** Longest value in a fault, in characters. */
const longestValue = 200

const shorten = (text = '') =>
  text.length > longestValue ? `${text.slice(0, longestValue)}… (${text.length} characters)` : text

/** The order of members does not count. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(
    members.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, inOrder(member)]),
  )
}
