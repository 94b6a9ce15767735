import { describeEvent } from '../log/describe-event.ts'
import { EventBudget } from '../log/event-budget.ts'
import { levelOf } from '../log/level-of.ts'
import type { ReportEvent, WrapperEvent } from '../log/wrapper-event.ts'

/** Far more than launches make, far fewer than it takes to fill the log within minutes. */
const maxEventsPerMinute = 600

/** Where a wrapper's events go. */
export interface Reporter {
  readonly report: ReportEvent
  /** Gives the log what has happened so far, and from now on all that happens. */
  writeTo(log: ReportEvent): void
  /** Tells what was left out and not told of yet; for the end, while the log is still open. */
  tellDropped(): void
}

/**
 * Gives events to the log, as soon as there is one, and what people should know to them; at most 600 of a type in a minute, and
 * instead of the others how many they were.
 *
 * @param onNotice told of warnings and errors, in a sentence without personal data
 */
export function createReporter(onNotice: (sentence: string) => void): Reporter {
  const budget = new EventBudget(maxEventsPerMinute)
  let log: ReportEvent | undefined
  let early: WrapperEvent[] = []
  const tell = (event: WrapperEvent) => {
    if (log) log(event)
    else early.push(event)
    // Whoever cannot be told is not told that either.
    if (event.type === 'own-function-failed' && event.of === 'onNotice') return
    const level = levelOf(event)
    if (level === 'error' || level === 'warn') onNotice(describeEvent(event))
  }
  return {
    report: event => budget.take(event, performance.now()).forEach(tell),
    writeTo(opened) {
      log = opened
      for (const event of early) opened(event)
      early = []
    },
    tellDropped: () => budget.takeDropped().forEach(tell),
  }
}
