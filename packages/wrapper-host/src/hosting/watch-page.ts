import type { ReportEvent } from '../log/wrapper-event.ts'
import type { WrapperTexts } from '../texts.ts'
import type { EngineWindow } from '../window/engine.ts'
import { EngineError, PageCallError } from '../window/engine-error.ts'
import { OccurrenceLimit } from './occurrence-limit.ts'
import { pause } from './pause.ts'
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
}

/** So many crashes within so many milliseconds, and the page is not started anew until the user asks for it. */
const crashLimit = { count: 3, withinMs: 60_000 }
const retryAction = 'restart-page'

/** Starts the page anew when it has crashed, or when it no longer answers. */
export class PageWatch implements Disposable {
  readonly #window: EngineWindow
  readonly #options: PageWatchOptions
  readonly #crashes = new OccurrenceLimit(crashLimit)
  readonly #ending = new AbortController()
  readonly #stops: readonly (() => void)[]
  #checking: Promise<boolean> | undefined

  constructor(window: EngineWindow, options: PageWatchOptions) {
    this.#window = window
    this.#options = options
    this.#stops = [
      window.on('pageCrashed', () => {
        options.report({ type: 'page-crashed' })
        void this.#restart()
      }),
      window.on('ownPageAction', ({ action }) => action === retryAction && this.#loadAgain()),
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
   * @returns whether it was started anew
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
    if (!(await this.#isSilent()) || !(await this.#isSilent()) || this.#ending.signal.aborted) return false
    this.#options.report({ type: 'page-hung' })
    await this.#restart()
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

  async #restart(): Promise<void> {
    if (this.#ending.signal.aborted) return
    if (this.#crashes.isReachedByOneMore()) {
      this.#options.report({ type: 'page-given-up' })
      await this.#showPage()
      return
    }
    try {
      await this.#window.restartPage({ url: this.#options.returnAddress.current })
      this.#options.report({ type: 'page-restarted' })
    } catch (error) {
      // A window that is opened anew brings a page of its own.
      if (!(error instanceof EngineError) || error.fault !== 'gone') await this.#showPage()
    }
  }

  async #showPage(): Promise<void> {
    const { language, crashedTitle, crashedReason, crashedRetry } = this.#options.texts
    const buttons = [{ action: retryAction, label: crashedRetry }]
    await this.#window
      .showOwnPage({ language, title: crashedTitle, paragraphs: [crashedReason], buttons })
      .catch(() => undefined)
  }

  #loadAgain(): void {
    this.#window.navigate(this.#options.returnAddress.current).catch(() => this.#showPage())
  }
}
