import { pause } from '@service-link/protocol-core/time'
import { asEngineError } from '../devtools/as-engine-error.ts'
import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import { PageTarget } from '../devtools/page-target.ts'
import type { CallOptions, WindowState } from '../engine.ts'
import { leadsOutside } from '../leads-outside.ts'
import type { OpenExternal } from '../open-external.ts'
import { clearSession } from '../page/clear-session.ts'
import { PageWindow } from '../page/page-window.ts'
import { hostWorldName, type UserAgent } from '../page/prepare-page.ts'
import type { WindowPlacement } from '../window-appearance.ts'
import type { BrowserProcess } from './browser-process.ts'
import { CloseGuard } from './close-guard.ts'
import { endPageProcess } from './end-page-process.ts'
import { ExtraPages } from './extra-pages.ts'
import { PageDialogs } from './page-dialogs.ts'
import { canReachAddress } from './reach-address.ts'
import { UsedMark } from './used-mark.ts'
import { WindowBounds } from './window-bounds.ts'

/** What a {@link ChromiumWindow} is the window of. */
export interface ChromiumWindowOptions {
  readonly engine: string
  readonly browser: BrowserProcess
  readonly targetId: string
  readonly sessionId: string
  /** First address. */
  readonly url: string
  readonly bindingName: string
  readonly allowedOrigins: readonly string[]
  readonly isHeadless: boolean
  readonly isDebug: boolean
  /** Zoom with which the window was opened. */
  readonly zoom?: number
  readonly userAgent: UserAgent
  readonly openExternal: OpenExternal
  /** Events of the browser from before there was a window object. */
  readonly earlyEvents: readonly DevToolsEvent[]
}

/** Longest wait for the browser to end by itself when it is closed, in milliseconds. */
const closeMs = 5000
/** Longest wait for a last look at the window before it is closed, in milliseconds. */
const lastLookMs = 1000

/** The page target of a browser in app mode, as a window. Owns the browser. */
export class ChromiumWindow extends PageWindow {
  readonly #options: ChromiumWindowOptions
  readonly #bounds: WindowBounds
  readonly #guard: CloseGuard
  readonly #dialogs: PageDialogs
  readonly #used: UsedMark
  readonly #extraPages: ExtraPages
  #closing: Promise<void> | undefined

  constructor(options: ChromiumWindowOptions) {
    const { browser, targetId, sessionId, isHeadless, allowedOrigins } = options
    const { connection } = browser
    const page = new PageTarget(connection, targetId, sessionId)
    super({ ...options, page, isSeen: !isHeadless })
    this.#options = options
    this.#bounds = new WindowBounds({ page, isHeadless })
    this.#guard = new CloseGuard(targetId)
    const isOurs = () => this.isApp || this.loads.isOfWrapper
    this.#used = new UsedMark(page, hostWorldName(options.bindingName), isOurs)
    this.#dialogs = new PageDialogs({
      page,
      guard: this.#guard,
      isHeadless,
      isMinimisingOnClose: () => this.isMinimisingOnClose,
      leadsOutside: url => leadsOutside({ url, isLink: true, isFromApp: this.isApp }, allowedOrigins),
      openExternal: options.openExternal,
      beforeClose: () => this.#lookOnceMore(),
      minimise: () => this.vetoClose(),
    })
    this.#extraPages = new ExtraPages({
      ...options,
      connection,
      mainSessionId: sessionId,
      openInWindow: url => void this.navigate(url).catch(() => undefined),
    })
    for (const event of options.earlyEvents) this.#take(event)
    connection.onEvent(event => this.#take(event))
    void browser.ended.then(() => this.end(this.#closing === undefined && browser.hasFailed))
  }

  canReach(url: string, options: CallOptions): Promise<boolean> {
    return canReachAddress(this.page.connection, url, this.#options.userAgent, options)
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
      if (this.isGone || this.#closing) return 'closed'
      throw error
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  protected isPageWaiting(): boolean {
    // A page beside this one may share its thread.
    return this.#dialogs.isOpen || this.#guard.isLeaving || this.#extraPages.hasDialog
  }

  protected async reloadPage(): Promise<void> {
    await this.page.call('Page.reload')
  }

  protected endPageProcess(): Promise<void> {
    return endPageProcess(this.page)
  }

  protected async loadAfterEnd(url: string): Promise<void> {
    await this.goTo(url)
  }

  protected forgetData(): Promise<void> {
    return clearSession(this.page)
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
  }

  /** The window goes away; where it was is told while there are listeners. */
  async #lookOnceMore(): Promise<void> {
    if (this.#options.isHeadless) return
    const given = new AbortController()
    const tooLong = pause(lastLookMs, given.signal).catch(() => undefined)
    await Promise.race([this.appearance.lookAtPlacement(), tooLong])
    given.abort()
  }

  #take(event: DevToolsEvent): void {
    this.#extraPages.take(event)
    const { sessionId } = this.#options
    if (event.name === 'Target.detachedFromTarget' && event.facts.sessionId === sessionId) void this.close()
    if (event.sessionId !== sessionId) return
    this.#guard.apply(event)
    this.takePageEvent(event)
    this.#used.apply(event)
    this.#dialogs.apply(event)
  }
}
