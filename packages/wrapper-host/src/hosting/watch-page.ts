import type { EngineWindow } from '@service-link/window-engine'
import { EngineError, PageCallError } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import type { WrapperTexts } from '../window/texts.ts'
import { pause } from './pause.ts'
import { type PageFault, RestartPace, type RestartPaceOptions } from './restart-pace.ts'
import type { ReturnAddress } from './return-address.ts'

/** Options of {@link PageWatch}. */
export interface PageWatchOptions {
  readonly texts: WrapperTexts
  readonly returnAddress: ReturnAddress
  readonly report: ReportEvent
  /** Whether somebody looks for faults: a page that is halted there does not answer, and must be left alone. */
  readonly isDebug: boolean
  /** Time between two questions whether the page answers, in milliseconds. Default 20,000. */
  readonly everyMs?: number
  /** Longest wait for its answer, in milliseconds. Default 10,000. */
  readonly answerMs?: number
  /** When the page is started anew at once, and how long it is waited else. */
  readonly pace?: RestartPaceOptions
}

const retryAction = 'restart-page'

/**
 * Starts the page anew when it has crashed, or when it no longer answers. When that happens again and again, a page says so in
 * its place, and it is tried again after pauses that grow, or as soon as the user presses the button.
 */
export class PageWatch implements Disposable {
  readonly #window: EngineWindow
  readonly #options: PageWatchOptions
  readonly #pace: RestartPace
  readonly #ending = new AbortController()
  readonly #stops: readonly (() => void)[]
  #checking: Promise<boolean> | undefined
  /** The wait before the next attempt, while there is one: `over` gives it up, `hurry` ends it. */
  #waiting: { readonly over: AbortController; readonly hurry: AbortController } | undefined

  constructor(window: EngineWindow, options: PageWatchOptions) {
    this.#window = window
    this.#options = options
    this.#pace = new RestartPace(options.pace)
    this.#stops = [
      window.on('pageCrashed', () => {
        options.report({ type: 'page-crashed' })
        void this.#recover('crash')
      }),
      window.on('ownPageAction', ({ action }) => action === retryAction && this.#waiting?.hurry.abort()),
      // Somebody else has led the window on. Where the service is away, that is told and waited for elsewhere.
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

  /**
   * Asks the page whether it answers, twice, and starts it anew when it does not.
   *
   * @returns whether it was started anew, or will be
   */
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
      await pause(this.#options.everyMs ?? 20_000, signal)
      if (signal.aborted) return
      // Also so that a window opened anew is minimised if its user had minimised it.
      await this.#window.windowState().catch(() => undefined)
      await this.check()
    }
  }

  async #check(): Promise<boolean> {
    if (this.#waiting) return true
    if (!(await this.#isSilent()) || !(await this.#isSilent()) || this.#ending.signal.aborted) return false
    this.#options.report({ type: 'page-hung' })
    await this.#recover('hang')
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

  async #recover(fault: PageFault): Promise<void> {
    // While it waits, the page that says so may crash as well: the next attempt comes in any case.
    if (this.#ending.signal.aborted || this.#waiting) return
    if (this.#pace.isAtOnceAfter(fault) && (await this.#restart())) return
    void this.#tryLater()
  }

  async #tryLater(): Promise<void> {
    while (!this.#waiting && !this.#ending.signal.aborted) {
      this.#options.report({ type: 'page-given-up' })
      const waiting = { over: new AbortController(), hurry: new AbortController() }
      this.#waiting = waiting
      const isOver = AbortSignal.any([waiting.over.signal, this.#ending.signal])
      await this.#showPage()
      await pause(this.#pace.nextPause(), isOver, waiting.hurry.signal)
      if (isOver.aborted) return
      this.#leaveIt()
      if (await this.#restart()) return
    }
  }

  #leaveIt(): void {
    if (!this.#waiting) return
    this.#waiting.over.abort()
    this.#waiting = undefined
    this.#pace.noteRestart()
  }

  /** Returns whether there is nothing left to do: the page is started anew, or a window that is opened anew brings one. */
  async #restart(): Promise<boolean> {
    try {
      await this.#window.restartPage({ url: this.#options.returnAddress.current })
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
