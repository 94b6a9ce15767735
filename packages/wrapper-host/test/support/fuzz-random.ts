/** Random choices. The same seed gives the same choices. */
export class FuzzRandom {
  readonly #next: () => number

  constructor(seed: number) {
    this.#next = seededRandom(seed)
  }

  /** From 0 to below the bound; 0 for one below 1. */
  integer(below: number): number {
    return Math.floor(this.#next() * below)
  }

  chance(probability: number): boolean {
    return this.#next() < probability
  }

  /** @throws {RangeError} when the list is empty */
  pick<Value>(values: readonly Value[]): Value {
    if (values.length === 0) throw new RangeError('There is nothing to choose from.')
    return values[this.integer(values.length)] as Value
  }

  shuffle<Value>(values: readonly Value[]): Value[] {
    return values
      .map(value => ({ value, key: this.#next() }))
      .sort((a, b) => a.key - b.key)
      .map(({ value }) => value)
  }
}

/** Numbers from 0 to below 1, equal for equal seeds (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
