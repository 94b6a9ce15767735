import type { WrapperEvent } from './wrapper-event.ts'

const periodMs = 60_000

/**
 * Bounds how many events of a type are written in a minute, so that a page that sends nonsense without end does not push
 * everything else out of the log.
 */
export class EventBudget {
  readonly #maxEvents: number
  readonly #counts = new Map<
    WrapperEvent['type'],
    { readonly since: number; taken: number; dropped: number }
  >()

  /** @param maxEvents of each type, in a minute */
  constructor(maxEvents: number) {
    this.#maxEvents = maxEvents
  }

  /**
   * Takes an event, or drops it.
   *
   * @param nowMs any clock that goes forward, in milliseconds
   * @returns what is to be written: nothing, the event, or what was dropped before it and the event
   */
  take(event: WrapperEvent, nowMs: number): readonly WrapperEvent[] {
    const found = this.#counts.get(event.type)
    if (found && nowMs - found.since < periodMs) {
      if (found.taken >= this.#maxEvents) {
        found.dropped++
        return []
      }
      found.taken++
      return [event]
    }
    this.#counts.set(event.type, { since: nowMs, taken: 1, dropped: 0 })
    if (!found?.dropped) return [event]
    return [{ type: 'events-dropped', of: event.type, count: found.dropped }, event]
  }
}
