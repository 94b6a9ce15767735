import { Deadline, growingPause, pause } from '@service-link/protocol-core/time'
import type { EngineWindow } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import type { LoadedTexts } from '../texts/wrapper-texts.ts'
import type { ReturnAddress } from '../window/return-address.ts'

interface ServiceWaitOptions {
  readonly texts: LoadedTexts
  readonly returnAddress: ReturnAddress
  readonly report: ReportEvent
  /** First pause between two attempts, in milliseconds; later ones grow. Default 2,000. */
  readonly firstPauseMs?: number
  /** Longest pause, in milliseconds. Default 30,000. */
  readonly longestPauseMs?: number
  /** Longest wait for a sign of the window's first document, in milliseconds. Default 60,000. */
  readonly firstDocumentMs?: number
}

/** Longest wait for the answer to one attempt, in milliseconds. */
const attemptMs = 10_000
/** Longest wait for the page of a service that answers, in milliseconds. */
const loadMs = 60_000

/**
 * While the web app cannot be reached, shows a page of the wrapper, and loads the web app as soon as the service answers or the
 * user presses the button. Makes one attempt at a time.
 */
export class ServiceWait implements Disposable {
  readonly #window: EngineWindow
  readonly #options: ServiceWaitOptions
  readonly #ending = new AbortController()
  readonly #stops: readonly (() => void)[]
  #waiting: AbortController | undefined
  /** Ends the pause before the next attempt. */
  #pausing: AbortController | undefined
  /** Ends at the first sign of a document. */
  readonly #silence: NodeJS.Timeout
  #outcome: ((outcome: 'failed' | 'loaded') => void) | undefined

  constructor(window: EngineWindow, options: ServiceWaitOptions) {
    this.#window = window
    this.#options = options
    const { firstDocumentMs = 60_000, returnAddress } = options
    // A browser waits without end for a server that takes the connection and never answers.
    this.#silence = setTimeout(
      () => this.#noteFailure(returnAddress.current, 'No answer in time.'),
      firstDocumentMs,
    )
    this.#silence.unref()
    const hear = () => {
      clearTimeout(this.#silence)
      for (const stop of signs) stop()
    }
    const signs = (['loaded', 'message', 'unloading', 'loadFailed'] as const).map(name =>
      window.on(name, hear),
    )
    this.#stops = [
      ...signs,
      window.on('loadFailed', ({ url, reason }) => this.#noteFailure(url, reason)),
      window.on('loaded', ({ url }) => this.#noteLoad(url)),
      window.on('ownPageAction', ({ action }) => action === retryAction && this.#pausing?.abort()),
      window.on('closed', () => this[Symbol.dispose]()),
    ]
  }

  [Symbol.dispose](): void {
    this.#ending.abort()
    clearTimeout(this.#silence)
    for (const stop of this.#stops) stop()
  }

  #noteFailure(url: string, reason: string): void {
    if (this.#waiting) {
      // The browser's error page has replaced ours.
      this.#showPage(reason)
      this.#outcome?.('failed')
      return
    }
    this.#waiting = new AbortController()
    this.#options.report({ type: 'page-unreachable', origin: originOf(url), reason })
    this.#showPage(reason)
    void this.#wait(url, AbortSignal.any([this.#waiting.signal, this.#ending.signal]))
  }

  #noteLoad(url: string): void {
    if (!this.#waiting || !/^https?:/.test(url)) return
    this.#waiting.abort()
    this.#waiting = undefined
    this.#outcome?.('loaded')
    this.#options.report({ type: 'page-reachable', origin: originOf(url) })
  }

  async #wait(failedUrl: string, signal: AbortSignal): Promise<void> {
    const url = this.#options.returnAddress.insteadOf(failedUrl)
    for (let attempt = 0; ; attempt++) {
      await this.#pause(attempt, signal)
      if (signal.aborted) return
      const isThere = await this.#window.canReach(url, { timeoutMs: attemptMs, signal })
      if (signal.aborted) return
      if (isThere && (await this.#load(url, signal)) === 'loaded') return
    }
  }

  async #pause(attempt: number, signal: AbortSignal): Promise<void> {
    const { firstPauseMs: firstMs = 2000, longestPauseMs: longestMs = 30_000 } = this.#options
    this.#pausing = new AbortController()
    const ends = AbortSignal.any([signal, this.#pausing.signal])
    await pause(growingPause(attempt, { firstMs, longestMs }), ends).catch(() => undefined)
    this.#pausing = undefined
  }

  async #load(url: string, signal: AbortSignal): Promise<'failed' | 'loaded'> {
    const { promise, resolve } = Promise.withResolvers<'failed' | 'loaded'>()
    this.#outcome = resolve
    this.#window.navigate(url).catch(() => resolve('failed'))
    const late = () => new Error('The page has not loaded in time.')
    const outcome = await new Deadline(loadMs, signal).waitFor(promise, late).catch(() => 'failed' as const)
    this.#outcome = undefined
    return outcome
  }

  #showPage(reason: string): void {
    const { language, unreachableTitle, unreachableReason, unreachableRetry } = this.#options.texts
    this.#window
      .showOwnPage({
        language,
        title: unreachableTitle,
        paragraphs: [unreachableReason, reason],
        buttons: [{ action: retryAction, label: unreachableRetry }],
      })
      .catch(() => undefined)
  }
}

const retryAction = 'reach-service'

/** Leaves out path and query, which may hold personal data or credentials. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? 'an unknown address'
}
