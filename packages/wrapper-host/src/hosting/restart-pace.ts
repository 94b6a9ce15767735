import { growingPause } from './growing-pause.ts'
import { OccurrenceLimit, type Occurrences } from './occurrence-limit.ts'

/** What can befall a page. */
export type PageFault = 'crash' | 'hang'

/** Options of {@link RestartPace}. */
export interface RestartPaceOptions {
  /** So many crashes in such a time, and the next attempt waits. Default 3 in a minute. */
  readonly crashes?: Occurrences
  /** The same of pages that no longer answer; to find one out takes 20 to 40 seconds. Default 3 in 10 minutes. */
  readonly hangs?: Occurrences
  /** First pause, in milliseconds; they grow up to the longest. Default 30,000. */
  readonly firstPauseMs?: number
  /** Default 10 minutes. */
  readonly longestPauseMs?: number
  /** How long a page must have stayed well to be started anew at once again, in milliseconds. Default 10 minutes. */
  readonly wellMs?: number
  /** Clock in milliseconds. Default: one that never goes back. */
  readonly now?: () => number
  /** From 0 to 1. Default `Math.random`. */
  readonly random?: () => number
}

/**
 * Says when a page is started anew after a fault: at once, or after a pause that grows for as long as faults follow each other.
 * It never gives a page up for good.
 */
export class RestartPace {
  readonly #options: RestartPaceOptions
  readonly #now: () => number
  readonly #limits: Readonly<Record<PageFault, OccurrenceLimit>>
  /** Pauses since the page was well. */
  #pauses = 0
  #restartedAt = 0

  constructor(options: RestartPaceOptions = {}) {
    const { crashes = { count: 3, withinMs: 60_000 }, hangs = { count: 3, withinMs: 600_000 } } = options
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
    const now = this.#now
    this.#limits = {
      crash: new OccurrenceLimit({ ...crashes, now }),
      hang: new OccurrenceLimit({ ...hangs, now }),
    }
  }

  /** Notes a fault. Returns whether the page may be started anew at once; else after {@link nextPause}. */
  isAtOnceAfter(fault: PageFault): boolean {
    const isTooMany = this.#limits[fault].isReachedByOneMore()
    if (this.#pauses > 0 && this.#now() - this.#restartedAt >= (this.#options.wellMs ?? 600_000))
      this.#pauses = 0
    return this.#pauses === 0 && !isTooMany
  }

  /** How long to wait before the next attempt, in milliseconds; longer each time. */
  nextPause(): number {
    const { firstPauseMs = 30_000, longestPauseMs = 600_000, random } = this.#options
    const bounds = { firstMs: firstPauseMs, longestMs: longestPauseMs }
    return growingPause(this.#pauses++, { ...bounds, ...(random ? { random } : {}) })
  }

  /** Notes that the page was started anew after a pause. */
  noteRestart(): void {
    this.#restartedAt = this.#now()
  }
}
