import { describeEvent } from '../log/describe-event.ts'
import { levelOf } from '../log/level-of.ts'
import type { ReportEvent, WrapperEvent } from '../log/wrapper-event.ts'

/** Where a wrapper's events go. */
export interface Reporter {
  readonly report: ReportEvent
  /** Gives the log what has happened so far, and from now on all that happens. */
  writeTo(log: ReportEvent): void
}

/**
 * Gives events to the log, as soon as there is one, and what people should know to them.
 *
 * @param onNotice told of warnings and errors, in a sentence without personal data
 */
export function createReporter(onNotice: (sentence: string) => void): Reporter {
  let log: ReportEvent | undefined
  let early: WrapperEvent[] = []
  return {
    report(event) {
      if (log) log(event)
      else early.push(event)
      const level = levelOf(event)
      if (level === 'error' || level === 'warn') onNotice(describeEvent(event))
    },
    writeTo(opened) {
      log = opened
      for (const event of early) opened(event)
      early = []
    },
  }
}
