/** Listeners of one object, by event name. An object tells its events through one of these and gives out only `on`. */
export class EventListeners<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<(event: never) => void>>()

  /** Adds a listener; the function returned removes it. One function added twice is told once. */
  on<Name extends keyof Events>(name: Name, listener: (event: Events[Name]) => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /**
   * Tells the listeners of one event, in the order in which they were added. What one throws keeps neither the others from hearing
   * nor the caller from going on: it is thrown anew in a turn of its own, where nobody catches it, and ends the process unless
   * that listens to `uncaughtException`.
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
