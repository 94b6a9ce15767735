/** Steps that take a transaction back, in the order in which it made them. */
export type Journal = (() => void)[]

/** A map whose changes can be taken back. */
export class JournaledMap<Key, Value> {
  readonly #values = new Map<Key, Value>()
  readonly #journal: Journal

  constructor(journal: Journal) {
    this.#journal = journal
  }

  get(key: Key): Value | undefined {
    return this.#values.get(key)
  }

  get size(): number {
    return this.#values.size
  }

  values(): Iterable<Value> {
    return this.#values.values()
  }

  entries(): Iterable<[Key, Value]> {
    return this.#values.entries()
  }

  set(key: Key, value: Value): void {
    this.#remember(key)
    this.#values.set(key, value)
  }

  delete(key: Key): void {
    this.#remember(key)
    this.#values.delete(key)
  }

  #remember(key: Key): void {
    const before = this.#values.get(key)
    const had = this.#values.has(key)
    this.#journal.push(() => {
      if (had && before !== undefined) this.#values.set(key, before)
      else this.#values.delete(key)
    })
  }
}
