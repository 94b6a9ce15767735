import type { WrapperEvent } from './wrapper-event.ts'

const periodMs = 60_000

/**
 * Bounds how many events of a type are told in a minute, so that a page that sends nonsense without end does not push
 * everything else out of the log, nor fill what keeps standard error.
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

  /** What was dropped and not told of yet, for the end, after which nothing follows that would tell it. */
  takeDropped(): readonly WrapperEvent[] {
    const dropped: WrapperEvent[] = []
    for (const [type, found] of this.#counts) {
      if (found.dropped > 0) dropped.push({ type: 'events-dropped', of: type, count: found.dropped })
      found.dropped = 0
    }
    return dropped
  }
}
