import { setTimeout as delay } from 'node:timers/promises'
import { asEngineError } from '../devtools/as-engine-error.ts'
import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import { PageTarget } from '../devtools/page-target.ts'
import type {
  CallOptions,
  EngineEvents,
  EngineWindow,
  JsonValue,
  SessionSnapshot,
  WindowState,
} from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { EventListeners } from '../event-listeners.ts'
import type { OpenExternal } from '../open-external.ts'
import type { OwnPage, WindowNotice } from '../own-content.ts'
import { AppearanceWatch } from '../page/appearance-watch.ts'
import { clearSession } from '../page/clear-session.ts'
import type { UserAgent } from '../page/prepare-page.ts'
import { restoreCookies, saveCookies } from '../page/session-cookies.ts'
import type { BrowserProcess } from './browser-process.ts'
import { ExtraPages } from './extra-pages.ts'
import { MainPage } from './main-page.ts'
import { canReachAddress } from './reach-address.ts'
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
  /** What the browser has told before there was a window object. */
  readonly earlyEvents: readonly DevToolsEvent[]
}

/** Longest wait for the browser to end by itself when it is closed, in milliseconds. */
const closeMs = 5000
/** Longest wait for a last look at the window before it is closed, in milliseconds. */
const lastLookMs = 1000

/** The page target of a browser in app mode, as a window. Owns the browser. */
export class ChromiumWindow implements EngineWindow {
  readonly #options: ChromiumWindowOptions
  readonly #target: PageTarget
  readonly #page: MainPage
  readonly #bounds: WindowBounds
  readonly #appearance: AppearanceWatch
  readonly #extraPages: ExtraPages
  readonly #listeners = new EventListeners<EngineEvents>()
  /** Events of the time in which nobody can have added a listener yet. */
  #held: (() => void)[] | undefined = []
  #isClosed = false
  #closing: Promise<void> | undefined

  constructor(options: ChromiumWindowOptions) {
    const { browser, targetId, sessionId, isHeadless, zoom } = options
    const { connection } = browser
    const page = new PageTarget(connection, targetId, sessionId)
    this.#options = options
    this.#target = page
    this.#bounds = new WindowBounds({ page, isHeadless })
    this.#page = new MainPage({
      ...options,
      page,
      listener: {
        emit: (name, event) => this.#emit(name, event),
        hasExtraDialog: () => this.#extraPages.hasDialog,
        onResized: () => void this.#look(),
        beforeClose: () => this.#lookOnceMore(),
        minimise: () => {
          this.minimise().catch(() => undefined)
          this.#emit('closeVetoed', {})
        },
      },
    })
    this.#appearance = new AppearanceWatch({
      page,
      placement: () => this.#bounds.placement(),
      isZoomOfApp: () => this.#page.isApp,
      onChanged: appearance => this.#emit('appearanceChanged', appearance),
      ...(zoom === undefined ? {} : { zoom }),
    })
    this.#extraPages = new ExtraPages({
      ...options,
      connection,
      mainSessionId: sessionId,
      openInWindow: url => void this.navigate(url).catch(() => undefined),
    })
    for (const event of options.earlyEvents) this.#take(event)
    connection.onEvent(event => this.#take(event))
    void browser.ended.then(() => this.#end())
  }

  call(value: JsonValue, options: CallOptions): Promise<unknown> {
    return this.#page.call(value, options)
  }

  ping(options: CallOptions): Promise<void> {
    return this.#page.ping(options)
  }

  navigate(url: string): Promise<void> {
    return asEngineError(this.#page.navigate(url))
  }

  async post(
    url: string,
    form: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<{ readonly status: number }> {
    return { status: await asEngineError(this.#page.post(url, form, options)) }
  }

  reload(): Promise<void> {
    return asEngineError(this.#page.reload())
  }

  restartPage({ url }: { readonly url?: string } = {}): Promise<void> {
    return asEngineError(this.#page.restart(url))
  }

  async canReach(url: string, options: CallOptions): Promise<boolean> {
    return canReachAddress(this.#target.connection, url, this.#options.userAgent, options)
  }

  showOwnPage(page: OwnPage): Promise<void> {
    return asEngineError(this.#page.showOwnPage(page))
  }

  async setNotice(notice: WindowNotice | undefined): Promise<void> {
    if (this.#isClosed) throw new EngineError('gone', 'The window is closed.')
    this.#page.setNotice(notice)
  }

  minimise(): Promise<void> {
    return asEngineError(this.#bounds.minimise())
  }

  show(): Promise<void> {
    return asEngineError(this.#bounds.show())
  }

  async windowState(): Promise<WindowState> {
    if (this.#isClosed) return 'closed'
    try {
      return await asEngineError(this.#bounds.state())
    } catch (error) {
      if (this.#isClosed || this.#closing) return 'closed'
      throw error
    }
  }

  setMinimiseOnClose(isMinimising: boolean): void {
    this.#page.setMinimiseOnClose(isMinimising)
  }

  async saveSession(): Promise<SessionSnapshot> {
    return { engine: this.#options.engine, data: await asEngineError(saveCookies(this.#target.connection)) }
  }

  async restoreSession(session: SessionSnapshot): Promise<void> {
    if (session.engine !== this.#options.engine)
      throw new EngineError('not-available', 'The session was saved by another engine.')
    await asEngineError(restoreCookies(this.#target.connection, session.data))
  }

  async clearSession(): Promise<void> {
    await asEngineError(clearSession(this.#target))
    this.#page.forgetHistory()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  on<Name extends keyof EngineEvents>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Begins to go to the first address, in a window that can be seen. */
  begin(): void {
    this.#page.begin()
    if (this.#options.isHeadless) return
    void this.#bounds
      .bringOntoScreen()
      .catch(() => undefined)
      .then(() => this.#appearance.begin())
  }

  /** Delivers the events that were held back, and from now on each at once. */
  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const deliver of held) deliver()
  }

  async #close(): Promise<void> {
    const { browser } = this.#options
    await this.#lookOnceMore()
    const timer = setTimeout(() => browser.kill(), closeMs)
    this.#target.connection.call('Browser.close').catch(() => undefined)
    await browser.ended
    clearTimeout(timer)
  }

  #end(): void {
    this.#isClosed = true
    this.#appearance[Symbol.dispose]()
    this.#page.end()
    this.#emit('closed', { isLost: this.#closing === undefined && this.#options.browser.hasFailed })
  }

  async #look(): Promise<void> {
    if (this.#options.isHeadless) return
    await this.#appearance.lookAtPlacement()
    await this.#appearance.lookAtZoom()
  }

  /** The window goes away; where it was is told while there are listeners. */
  async #lookOnceMore(): Promise<void> {
    if (this.#options.isHeadless) return
    const given = new AbortController()
    const tooLong = delay(lastLookMs, undefined, { signal: given.signal }).catch(() => undefined)
    await Promise.race([this.#appearance.lookAtPlacement(), tooLong])
    given.abort()
  }

  #emit<Name extends keyof EngineEvents>(name: Name, event: EngineEvents[Name]): void {
    if (this.#held) this.#held.push(() => this.#listeners.emit(name, event))
    else this.#listeners.emit(name, event)
  }

  #take(event: DevToolsEvent): void {
    this.#extraPages.take(event)
    const { sessionId } = this.#options
    if (event.name === 'Target.detachedFromTarget' && event.facts.sessionId === sessionId) void this.close()
    if (event.sessionId === sessionId) this.#page.apply(event)
  }
}
