/**
 * Owns resources and ends them in reverse order, each once. (What `AsyncDisposableStack` is for, which Node 22 does not
 * have.)
 */
export class ResourceOwner implements AsyncDisposable {
  readonly #ends: (() => PromiseLike<void>)[] = []
  #ending: Promise<void> | undefined

  /** Takes a resource over. */
  use<Resource extends AsyncDisposable | Disposable>(resource: Resource): Resource {
    this.#ends.push(async () =>
      Symbol.asyncDispose in resource ? resource[Symbol.asyncDispose]() : resource[Symbol.dispose](),
    )
    return resource
  }

  /** Takes over what a function ends. */
  defer(end: () => Promise<void>): void {
    this.#ends.push(end)
  }

  /**
   * Ends everything; one that fails does not keep the others from their end.
   *
   * @throws {AggregateError} with what failed, after all have had their turn
   */
  [Symbol.asyncDispose](): Promise<void> {
    this.#ending ??= this.#endAll()
    return this.#ending
  }

  async #endAll(): Promise<void> {
    const failures: unknown[] = []
    for (const end of this.#ends.toReversed()) {
      try {
        await end()
      } catch (error) {
        failures.push(error)
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'Some resources could not be ended.')
  }
}
