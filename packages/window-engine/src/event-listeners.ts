/** Listeners of one object, by event name. The object keeps this private and publishes `on`. */
export class EventListeners<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(event: never) => void>>()

  /** Adds a listener; the returned function removes it. A function added twice is called once. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /**
   * Calls the listeners of one event in the order in which they were added. An error of one disturbs neither the others nor the
   * caller: it is thrown in a microtask, as an `uncaughtException` of the process.
   */
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void {
    const listeners = this.#listeners.get(name) as Set<(event: Events[Name]) => void> | undefined
    for (const listener of [...(listeners ?? [])]) {
      try {
        listener(event)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }

  /** Forgets every listener. */
  clear(): void {
    this.#listeners.clear()
  }
}
