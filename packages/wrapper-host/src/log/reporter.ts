import { describeEvent, levelOf, type ReportEvent, type WrapperEvent } from './events.ts'
import { kindOf } from './failure-reason.ts'

const periodMs = 60_000

/** Limits the events of each type in a minute, so that a page that sends nonsense does not fill the log. */
export class EventBudget {
  readonly #maxEvents: number
  readonly #counts = new Map<
    WrapperEvent['type'],
    { readonly since: number; taken: number; dropped: number }
  >()

  /** @param maxEvents limit of each type in a minute */
  constructor(maxEvents: number) {
    this.#maxEvents = maxEvents
  }

  /**
   * Takes an event, or drops it.
   *
   * @param nowMs monotonic clock in milliseconds
   * @returns the events to write: none, the event, or the number of dropped ones and the event
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

  /** Returns the numbers of dropped events that no event has told yet. Call it at the end. */
  takeDropped(): readonly WrapperEvent[] {
    const dropped: WrapperEvent[] = []
    for (const [type, found] of this.#counts) {
      if (found.dropped > 0) dropped.push({ type: 'events-dropped', of: type, count: found.dropped })
      found.dropped = 0
    }
    return dropped
  }
}

/** Launches cause far fewer. The log takes minutes to fill at this rate. */
const maxEventsPerMinute = 600

/** Where a wrapper's events go. */
export interface Reporter {
  readonly report: ReportEvent
  /** Gives the log all events so far and all later ones. */
  writeTo(log: ReportEvent): void
  /** Reports the numbers of dropped events. Call it at the end, before the log closes. */
  tellDropped(): void
}

/**
 * Passes events to the log as soon as there is one, and warnings and errors to people: at most 600 of a type in a minute, and
 * then the number of dropped ones.
 *
 * @param onNotice gets a sentence without personal data. Its failures are reported. Default: nobody
 */
export function createReporter(onNotice: (sentence: string) => void = () => undefined): Reporter {
  const budget = new EventBudget(maxEventsPerMinute)
  let log: ReportEvent | undefined
  let early: WrapperEvent[] = []
  const report = (event: WrapperEvent) => budget.take(event, performance.now()).forEach(tell)
  const notify = guardOwn('onNotice', onNotice, report, () => undefined)
  function tell(event: WrapperEvent): void {
    if (log) log(event)
    else early.push(event)
    // Another call would fail in the same way, without end.
    if (event.type === 'own-function-failed' && event.of === 'onNotice') return
    const level = levelOf(event)
    if (level === 'error' || level === 'warn') notify(describeEvent(event))
  }
  return {
    report,
    writeTo(opened) {
      log = opened
      for (const event of early) opened(event)
      early = []
    },
    tellDropped: () => budget.takeDropped().forEach(tell),
  }
}

/** Option of `createWrapper` that holds a function of the integrator. */
type OwnFunctionOrigin = 'onNotice' | 'openExternal' | 'texts' | 'tray'

/**
 * Makes a function of an integrator safe to call anywhere. The kind of a failure is reported, its message is not.
 *
 * @param instead gives the result when `own` throws
 */
export function guardOwn<Args extends readonly unknown[], Result>(
  of: OwnFunctionOrigin,
  own: (...args: Args) => Result,
  report: ReportEvent,
  instead: (...args: Args) => Result,
): (...args: Args) => Result {
  const fail = (error: unknown) => report({ type: 'own-function-failed', of, kind: kindOf(error) })
  return (...args) => {
    try {
      const result = own(...args)
      if (result instanceof Promise) result.catch(fail)
      return result
    } catch (error) {
      fail(error)
      return instead(...args)
    }
  }
}
