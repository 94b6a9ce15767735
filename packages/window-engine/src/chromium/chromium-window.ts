import { setTimeout as delay } from 'node:timers/promises'
import { asEngineError } from '../devtools/devtools-connection.ts'
import type { DevToolsEvent, DevToolsFacts } from '../devtools/devtools-protocol.ts'
import type {
  CallOptions,
  EngineWindow,
  FetchedText,
  FetchTextOptions,
  WindowPlacement,
  WindowState,
} from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { PageWindow, type PageWindowOptions } from '../page/page-window.ts'
import type { NativeWindow, WindowIdentity, WindowPlatform } from '../platform/window-platform.ts'
import { leadsOutside, type OpenExternal } from '../web-address.ts'
import type { BrowserProcess } from './browser-process.ts'
import { CloseGuard } from './close-question.ts'
import { ExtraPages, type UserAgent } from './extra-pages.ts'
import { HiddenPages } from './hidden-pages.ts'
import { WindowBounds } from './window-bounds.ts'

interface ChromiumWindowOptions extends Omit<PageWindowOptions, 'isSeen'> {
  readonly browser: BrowserProcess
  readonly platform: WindowPlatform
  readonly identity?: WindowIdentity | undefined
  readonly isHeadless: boolean
  readonly isDebug?: boolean | undefined
  readonly isKiosk?: boolean | undefined
  readonly userAgent: UserAgent
  readonly openExternal: OpenExternal
  /** Events of the browser before the window object existed. */
  readonly earlyEvents: readonly DevToolsEvent[]
}

/** Longest wait for the browser to end by itself when it is closed, in milliseconds. */
const closeMs = 5000
/** Longest wait for a last look at the window before it is closed, in milliseconds. */
const lastLookMs = 1000

/** Longest wait for the page's process to end, in milliseconds. */
const crashMs = 3000

/** The page target of a browser in app mode, as a window. Owns the browser. */
export class ChromiumWindow extends PageWindow {
  readonly hide: EngineWindow['hide']
  readonly #options: ChromiumWindowOptions
  readonly #bounds: WindowBounds
  readonly #guard: CloseGuard
  readonly #extraPages: ExtraPages
  readonly #hiddenPages: HiddenPages
  #closing: Promise<void> | undefined

  constructor(options: ChromiumWindowOptions) {
    const { browser, page, isHeadless, platform } = options
    const { connection, targetId } = page
    super({ ...options, isSeen: !isHeadless })
    this.#options = options
    const native = isHeadless || browser.pid === undefined ? undefined : platform.nativeWindow?.(browser.pid)
    this.#bounds = new WindowBounds({ page, isHeadless, native })
    this.#identify(native)
    this.hide = native && (() => asEngineError(this.#bounds.hide()))
    this.#guard = new CloseGuard(targetId)
    this.#hiddenPages = new HiddenPages({ connection, userAgent: options.userAgent })
    this.#extraPages = new ExtraPages({
      ...options,
      isOwnPage: targetId => this.#hiddenPages.owns(targetId),
      connection,
      mainSessionId: page.sessionId,
      openInWindow: url => void this.navigate(url).catch(() => undefined),
    })
    for (const event of options.earlyEvents) this.#handle(event)
    connection.onEvent(event => this.#handle(event))
    void browser.ended.then(() => this.end(this.#closing === undefined && browser.hasFailed))
  }

  /** The browser gives its window the icon of a page, and an id of its own when the window is made. */
  #identify(native: NativeWindow | undefined): void {
    const { identity, look } = this.#options
    if (!native || !identity) return
    const identify = () => native.identify(identity, look?.picture)
    identify()
    this.on('loaded', identify)
  }

  get browserPid(): number | undefined {
    return this.#options.browser.pid
  }

  canReach(url: string, options: CallOptions): Promise<boolean> {
    return this.#hiddenPages.canReach(url, options)
  }

  async fetchText(url: string, options: FetchTextOptions): Promise<FetchedText> {
    this.throwIfGone()
    return this.#hiddenPages.fetchText(url, options)
  }

  minimise(): Promise<void> {
    return asEngineError(this.#bounds.minimise())
  }

  show(): Promise<void> {
    return asEngineError(this.#bounds.show())
  }

  async windowState(): Promise<WindowState> {
    if (this.isGone) return 'closed'
    try {
      return await asEngineError(this.#bounds.state())
    } catch (error) {
      if (this.isGone) return 'closed'
      throw error
    }
  }

  close(): Promise<void> {
    // Calls that wait fail as those of a closed window, not of a page that leaves.
    this.endPage()
    this.#closing ??= this.#close()
    return this.#closing
  }

  protected isPageWaiting(): boolean {
    // A page beside this one may share its thread.
    return this.hasDialog || this.#guard.isLeaving || this.#extraPages.hasDialog
  }

  /**
   * Ends the renderer process of a page that has not crashed, also when its thread hangs or waits in a dialog.
   *
   * `Page.crash` is refused while a navigation is on its way, so that one is stopped first. A thread that hangs outside of scripts
   * does not take `Page.crash`. Then all renderer processes are killed: the browser does not say which one draws the page.
   */
  protected async endPageProcess(): Promise<void> {
    const { page } = this
    const { promise: isEnded, resolve } = Promise.withResolvers<true>()
    const stop = page.connection.onEvent(({ name, sessionId }) => {
      if (name === 'Inspector.targetCrashed' && sessionId === page.sessionId) resolve(true)
    })
    const waiting = new AbortController()
    const { signal } = waiting
    try {
      await page.call('Page.stopLoading', {}, { timeoutMs: crashMs }).catch(() => undefined)
      // Only a refusal is answered: otherwise the page is gone.
      const refused = page.call('Page.crash', {}, { timeoutMs: crashMs, signal }).then(
        () => isEnded,
        () => false as const,
      )
      if (await Promise.race([isEnded, refused])) return
      const { processInfo } = await page.connection.call('SystemInfo.getProcessInfo')
      for (const { id } of processInfo.filter(({ type }) => type === 'renderer')) kill(id)
      await Promise.race([isEnded, delay(crashMs, undefined, { signal }).catch(() => undefined)])
    } finally {
      waiting.abort()
      stop()
    }
  }

  protected placement(): Promise<WindowPlacement | undefined> {
    return this.#bounds.placement()
  }

  protected override bringOntoScreen(): Promise<void> {
    return this.#bounds.bringOntoScreen()
  }

  protected override noteObjection(): void {
    this.#guard.noteObjection()
  }

  async #close(): Promise<void> {
    const { browser } = this.#options
    await this.#lookOnceMore()
    const timer = setTimeout(() => browser.kill(), closeMs)
    this.page.connection.call('Browser.close').catch(() => undefined)
    await browser.ended
    clearTimeout(timer)
    if (browser.leftBehind === undefined) return
    throw new EngineError('data-left', `The browser’s profile could not be removed (${browser.leftBehind}).`)
  }

  /** Reports a last move of the window before it closes. */
  async #lookOnceMore(): Promise<void> {
    if (this.#options.isHeadless) return
    await Promise.race([this.appearance.lookAtPlacement(), delay(lastLookMs, undefined, { ref: false })])
  }

  #handle(event: DevToolsEvent): void {
    this.#extraPages.take(event)
    const { sessionId } = this.page
    if (event.name === 'Target.detachedFromTarget' && event.facts.sessionId === sessionId)
      this.close().catch(() => undefined)
    if (event.sessionId !== sessionId) return
    this.#guard.apply(event)
    this.handlePageEvent(event)
    const isNewWorld =
      event.name === 'Runtime.executionContextCreated' &&
      event.facts.context.auxData.frameId === this.page.targetId
    if (isNewWorld || event.name === 'Page.domContentEventFired') this.#markAsUsed()
    if (event.name === 'Page.javascriptDialogOpening') this.#answerDialog(event.facts)
  }

  /**
   * Marks a document as used, since the browser lets only a used document ask before it goes away. The mark is a user activation in
   * the host's own world. It is used up before a script of the page can run. Foreign documents must not hold their user back.
   */
  #markAsUsed(): void {
    const isOurs = this.isApp || this.loads.isOfWrapper
    if (this.hostContextId === undefined || !isOurs) return
    this.page.tell('Runtime.evaluate', {
      expression: useGesture,
      uniqueContextId: this.hostContextId,
      userGesture: true,
    })
  }

  /** Answers a dialog of the page, or the browser's question before a page goes away, unless the user has to answer. */
  #answerDialog({ type, hasBrowserHandler }: DevToolsFacts<'Page.javascriptDialogOpening'>): void {
    const { isHeadless, isKiosk = false, allowedOrigins, openExternal } = this.#options
    const handle = (accept: boolean) => this.page.tell('Page.handleJavaScriptDialog', { accept })
    if (type !== 'beforeunload') {
      // Without a window no user can answer.
      if (isHeadless || !hasBrowserHandler) handle(type === 'alert')
      return
    }
    const link = this.#guard.followedLink
    const answer = this.#guard.answer(this.isMinimisingOnClose || isKiosk)
    if (link !== undefined && this.isApp && leadsOutside(link, allowedOrigins)) {
      handle(false)
      openExternal(link)
    } else if (answer === 'minimise') {
      handle(false)
      this.vetoClose(isKiosk)
    } else if (answer === 'close') {
      void this.#lookOnceMore().then(() => handle(true))
    } else if (answer === 'let-go' || isHeadless) {
      handle(true)
    }
  }
}

/**
 * Uses up the user activation: with it a page could open windows, go full screen or start programs. An input outside of the document
 * has no picker to show, but the call takes the activation.
 */
const useGesture = `document.createElement('input').showPicker()`

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone already.
  }
}
