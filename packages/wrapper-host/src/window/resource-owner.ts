/** Owns resources and ends them in reverse order, each once. Node 22 has no `AsyncDisposableStack`. */
export class ResourceOwner implements AsyncDisposable {
  readonly #ends: (() => PromiseLike<void>)[] = []
  #ending: Promise<void> | undefined

  use<Resource extends AsyncDisposable | Disposable>(resource: Resource): Resource {
    this.#ends.push(async () =>
      Symbol.asyncDispose in resource ? resource[Symbol.asyncDispose]() : resource[Symbol.dispose](),
    )
    return resource
  }

  defer(end: () => Promise<void>): void {
    this.#ends.push(end)
  }

  /** Ends every resource, also after one has failed. */
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
