import { growingPause, pause } from '@service-link/protocol-core/time'
import { EngineError, type EngineWindow, PageCallError } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import type { LoadedTexts } from '../texts/wrapper-texts.ts'
import type { ReturnAddress } from '../window/return-address.ts'

export interface PageWatchOptions {
  readonly texts: LoadedTexts
  readonly returnAddress: ReturnAddress
  readonly report: ReportEvent
  /** Whether developer tools are on. They may halt a page, which must be left alone then. */
  readonly isDebug: boolean
  /** Time between two pings of the page, in milliseconds. Default 20,000. */
  readonly everyMs?: number
  /** Longest wait for its answer, in milliseconds. Default 10,000. */
  readonly answerMs?: number
  readonly pace?: RestartPaceOptions
}

const retryAction = 'restart-page'

/**
 * Restarts the page when it has crashed or no longer answers. After repeated faults the wrapper shows a page of its own, and
 * restarts the web app after a growing pause or when the user presses the button.
 */
export class PageWatch implements Disposable {
  readonly #window: EngineWindow
  readonly #options: PageWatchOptions
  readonly #pace: RestartPace
  readonly #ending = new AbortController()
  readonly #stops: readonly (() => void)[]
  #checking: Promise<boolean> | undefined
  /** The pause before the next restart: `over` cancels the restart, `hurry` ends the pause. */
  #waiting: { readonly over: AbortController; readonly hurry: AbortController } | undefined

  constructor(window: EngineWindow, options: PageWatchOptions) {
    this.#window = window
    this.#options = options
    this.#pace = new RestartPace(options.pace)
    this.#stops = [
      window.on('pageCrashed', () => {
        options.report({ type: 'page-crashed' })
        void this.#recover()
      }),
      window.on('ownPageAction', ({ action }) => action === retryAction && this.#waiting?.hurry.abort()),
      // Another page has loaded, or the service is away, which ServiceWait handles.
      window.on('loaded', () => this.#leaveIt()),
      window.on('loadFailed', () => this.#leaveIt()),
      window.on('closed', () => this[Symbol.dispose]()),
    ]
    if (!options.isDebug) void this.#askAgainAndAgain()
  }

  [Symbol.dispose](): void {
    this.#ending.abort()
    for (const stop of this.#stops) stop()
  }

  /** Pings the page twice, and restarts it if it does not answer. Returns whether it was restarted, or will be. */
  check(): Promise<boolean> {
    if (this.#options.isDebug) return Promise.resolve(false)
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #askAgainAndAgain(): Promise<void> {
    const { signal } = this.#ending
    for (;;) {
      await pause(this.#options.everyMs ?? 20_000, signal).catch(() => undefined)
      if (signal.aborted) return
      // A window that is opened anew later is minimized if its user had minimized this one.
      await this.#window.windowState().catch(() => undefined)
      await this.check()
    }
  }

  async #check(): Promise<boolean> {
    if (this.#waiting) return true
    if (!(await this.#isSilent()) || !(await this.#isSilent()) || this.#ending.signal.aborted) return false
    this.#options.report({ type: 'page-hung' })
    await this.#recover()
    return true
  }

  async #isSilent(): Promise<boolean> {
    try {
      await this.#window.ping({ timeoutMs: this.#options.answerMs ?? 10_000, signal: this.#ending.signal })
      return false
    } catch (error) {
      return error instanceof PageCallError && error.fault === 'timeout'
    }
  }

  async #recover(): Promise<void> {
    // The wrapper's own page may crash during the pause.
    if (this.#ending.signal.aborted || this.#waiting) return
    const pauseMs = this.#pace.noteFault()
    if (pauseMs > 0 || !(await this.#restart())) void this.#tryLater(pauseMs)
  }

  async #tryLater(firstPauseMs: number): Promise<void> {
    let pauseMs = firstPauseMs
    while (!this.#waiting && !this.#ending.signal.aborted) {
      this.#options.report({ type: 'page-given-up' })
      const waiting = { over: new AbortController(), hurry: new AbortController() }
      this.#waiting = waiting
      const isOver = AbortSignal.any([waiting.over.signal, this.#ending.signal])
      await this.#showPage()
      await pause(pauseMs, AbortSignal.any([isOver, waiting.hurry.signal])).catch(() => undefined)
      if (isOver.aborted) return
      this.#leaveIt()
      if (await this.#restart()) return
      pauseMs = this.#pace.noteFault()
    }
  }

  #leaveIt(): void {
    if (!this.#waiting) return
    this.#waiting.over.abort()
    this.#waiting = undefined
    this.#pace.noteRestart()
  }

  /** Returns whether the page is restarted, or a new window brings one. */
  async #restart(): Promise<boolean> {
    try {
      await this.#window.restartPage({ url: this.#options.returnAddress.current })
      this.#pace.noteRestart()
      this.#options.report({ type: 'page-restarted' })
      return true
    } catch (error) {
      return error instanceof EngineError && error.fault === 'gone'
    }
  }

  async #showPage(): Promise<void> {
    const { language, crashedTitle, crashedReason, crashedRetry } = this.#options.texts
    const buttons = [{ action: retryAction, label: crashedRetry }]
    await this.#window
      .showOwnPage({ language, title: crashedTitle, paragraphs: [crashedReason], buttons })
      .catch(() => undefined)
  }
}

/** Time without a fault after which a restart no longer waits, in milliseconds. To detect a hang takes 20 to 40 seconds. */
const wellMs = 120_000
/** Faults in a row after which the page is restarted at once. */
const restartsAtOnce = 2

interface RestartPaceOptions {
  /** First pause, in milliseconds; later ones grow. Default 30,000. */
  readonly firstPauseMs?: number
  /** Longest pause, in milliseconds. Default 10 minutes. */
  readonly longestPauseMs?: number
  /** Monotonic clock in milliseconds. Default `performance.now`. */
  readonly now?: () => number
  /** From 0 to 1. Default `Math.random`. */
  readonly random?: () => number
}

/** Says when a page is restarted after a fault: at once, or after a pause that grows while faults follow each other. */
export class RestartPace {
  readonly #options: RestartPaceOptions
  readonly #now: () => number
  /** Number of faults since the page was well. */
  #faults = 0
  #restartedAt = Number.NEGATIVE_INFINITY

  constructor(options: RestartPaceOptions = {}) {
    this.#options = options
    this.#now = options.now ?? (() => performance.now())
  }

  /** Notes a fault. Returns the pause before the next restart in milliseconds; 0: at once. */
  noteFault(): number {
    if (this.#now() - this.#restartedAt >= wellMs) this.#faults = 0
    const pauses = this.#faults++ - restartsAtOnce
    if (pauses < 0) return 0
    const { firstPauseMs = 30_000, longestPauseMs = 600_000, random } = this.#options
    const bounds = { firstMs: firstPauseMs, longestMs: longestPauseMs }
    return growingPause(pauses, { ...bounds, ...(random ? { random } : {}) })
  }

  noteRestart(): void {
    this.#restartedAt = this.#now()
  }
}
