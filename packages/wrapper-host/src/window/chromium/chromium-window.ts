import { setTimeout as delay } from 'node:timers/promises'
import type {
  CallOptions,
  EngineEvents,
  EngineWindow,
  JsonValue,
  SessionSnapshot,
  WindowState,
} from '../engine.ts'
import { EngineError, PageCallError } from '../engine-error.ts'
import { EventListeners } from '../event-listeners.ts'
import type { OpenExternal } from '../open-external.ts'
import type { OwnPage, WindowNotice } from '../own-content.ts'
import { AppearanceWatch } from './appearance-watch.ts'
import { asEngineError } from './as-engine-error.ts'
import type { BrowserProcess } from './browser-process.ts'
import { callPage, pingPage } from './call-page.ts'
import { clearSession } from './clear-session.ts'
import { CloseGuard } from './close-guard.ts'
import type { DevToolsEvent } from './devtools-protocol.ts'
import { endPageProcess } from './end-page-process.ts'
import { ExtraPages } from './extra-pages.ts'
import { postForm } from './form-post.ts'
import { aborted, goTo } from './go-to.ts'
import { readHostWorldMessage } from './host-world.ts'
import { NoticeBar } from './notice-bar.ts'
import { PageDialogs } from './page-dialogs.ts'
import { PageDocuments } from './page-documents.ts'
import { PageLoads } from './page-loads.ts'
import { PageTarget } from './page-target.ts'
import { hostWorldName, type UserAgent } from './prepare-page.ts'
import { canReachAddress } from './reach-address.ts'
import { restoreCookies, saveCookies } from './session-cookies.ts'
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
/** Longest wait for a server's first answer to a navigation, in milliseconds. */
const navigationMs = 60_000
/** Longest wait for a last look at the window before it is closed, in milliseconds. */
const lastLookMs = 1000

/** The page target of a browser in app mode, as a window: composed of its parts, each in a file of its own. Owns the browser. */
export class ChromiumWindow implements EngineWindow {
  readonly #options: ChromiumWindowOptions
  readonly #page: PageTarget
  readonly #documents: PageDocuments
  readonly #loads: PageLoads
  readonly #guard: CloseGuard
  readonly #dialogs: PageDialogs
  readonly #bounds: WindowBounds
  readonly #appearance: AppearanceWatch
  readonly #notice: NoticeBar
  readonly #extraPages: ExtraPages
  readonly #listeners = new EventListeners<EngineEvents>()
  /** Events of the time in which nobody can have added a listener yet. */
  #held: (() => void)[] | undefined = []
  #isMinimising = false
  #isCrashed = false
  /** Whether the page's process is ended on purpose. */
  #isRestarting = false
  #isClosed = false
  #closing: Promise<void> | undefined

  constructor(options: ChromiumWindowOptions) {
    const { browser, targetId, sessionId, isHeadless, openExternal } = options
    const { connection } = browser
    const page = new PageTarget(connection, targetId, sessionId)
    this.#options = options
    this.#page = page
    this.#documents = new PageDocuments(targetId)
    this.#guard = new CloseGuard(targetId)
    this.#bounds = new WindowBounds({ page, isHeadless })
    this.#notice = new NoticeBar(page, hostWorldName(options.bindingName))
    this.#loads = new PageLoads(page, options.url, {
      onLoaded: event => {
        this.#emit('loaded', event)
        if (!isHeadless) void this.#appearance.lookAtZoom()
      },
      onLoadFailed: event => this.#emit('loadFailed', event),
      onOwnPageAction: event => this.#emit('ownPageAction', event),
    })
    this.#dialogs = new PageDialogs({
      page,
      guard: this.#guard,
      isHeadless,
      isMinimisingOnClose: () => this.#isMinimising,
      leadsOutside: url => this.#leadsOutside(url),
      openExternal,
      beforeClose: () => this.#lookOnceMore(),
      minimise: () => {
        this.minimise().catch(() => undefined)
        this.#emit('closeVetoed', {})
      },
    })
    this.#appearance = new AppearanceWatch({
      page,
      placement: () => this.#bounds.placement(),
      isZoomOfApp: () => this.#isApp(),
      onChanged: appearance => this.#emit('appearanceChanged', appearance),
      ...(options.zoom === undefined ? {} : { zoom: options.zoom }),
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

  async call(value: JsonValue, options: CallOptions): Promise<unknown> {
    options.signal?.throwIfAborted()
    const document = this.#documents.current
    if (this.#isClosed) throw new PageCallError('closed')
    if (this.#isCrashed) throw new PageCallError('crashed')
    if (!document) throw new PageCallError('navigated')
    if (!this.#isApp()) throw new PageCallError('foreign-origin')
    return callPage({ page: this.#page, document }, value, options)
  }

  async ping(options: CallOptions): Promise<void> {
    options.signal?.throwIfAborted()
    if (this.#isClosed) throw new PageCallError('closed')
    if (this.#isCrashed) throw new PageCallError('crashed')
    // It has answered: it waits for its user, or for the server of the page that comes next.
    if (this.#dialogs.isOpen || this.#guard.isLeaving) return
    await pingPage(this.#page, options)
  }

  async navigate(url: string): Promise<void> {
    checkWebAddress(url)
    const errorText = await asEngineError(this.#goTo(url))
    // A navigation that a newer one replaces is no failure.
    if (errorText && errorText !== aborted)
      throw new EngineError('navigation', `The address could not be opened: ${errorText}.`)
  }

  async post(
    url: string,
    form: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<{ readonly status: number }> {
    checkWebAddress(url)
    options.signal?.throwIfAborted()
    return { status: await asEngineError(postForm(this.#page, { url, form, ...options })) }
  }

  async reload(): Promise<void> {
    if (this.#loads.isOwnPage) return void (await asEngineError(this.#goTo(this.#loads.url)))
    await asEngineError(this.#page.call('Page.reload'))
  }

  async restartPage(): Promise<void> {
    this.#isRestarting = true
    try {
      if (!this.#isCrashed) await asEngineError(endPageProcess(this.#page))
    } finally {
      this.#isRestarting = false
    }
    // That the address cannot be reached is told by `loadFailed`.
    await asEngineError(this.#goTo(this.#loads.url))
  }

  async canReach(url: string, options: CallOptions): Promise<boolean> {
    if (!isWebAddress(url)) return false
    return canReachAddress(this.#page.connection, url, this.#options.userAgent, options)
  }

  async showOwnPage(page: OwnPage): Promise<void> {
    await asEngineError(this.#loads.showOwnPage(page))
  }

  async setNotice(notice: WindowNotice | undefined): Promise<void> {
    if (this.#isClosed) throw new EngineError('gone', 'The window is closed.')
    this.#notice.set(notice)
  }

  async minimise(): Promise<void> {
    await asEngineError(this.#bounds.minimise())
  }

  async show(): Promise<void> {
    await asEngineError(this.#bounds.show())
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
    this.#isMinimising = isMinimising
  }

  async saveSession(): Promise<SessionSnapshot> {
    return { engine: this.#options.engine, data: await asEngineError(saveCookies(this.#page.connection)) }
  }

  async restoreSession(session: SessionSnapshot): Promise<void> {
    if (session.engine !== this.#options.engine)
      throw new EngineError('not-available', 'The session was saved by another engine.')
    await asEngineError(restoreCookies(this.#page.connection, session.data))
  }

  async clearSession(): Promise<void> {
    await asEngineError(clearSession(this.#page))
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

  /** Begins to go to the first address. That it cannot be reached is told by `loadFailed`, as for any other. */
  begin(): void {
    this.#goTo(this.#loads.url).catch(() => undefined)
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
    this.#page.connection.call('Browser.close').catch(() => undefined)
    await browser.ended
    clearTimeout(timer)
  }

  #end(): void {
    this.#isClosed = true
    this.#appearance[Symbol.dispose]()
    this.#documents.end('closed')
    this.#emit('closed', { isLost: this.#closing === undefined && this.#options.browser.hasFailed })
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

  #goTo(url: string): Promise<string | undefined> {
    return goTo(this.#page, url, { timeoutMs: navigationMs })
  }

  #isApp(): boolean {
    return this.#options.allowedOrigins.includes(this.#documents.current?.origin ?? '')
  }

  /** Only a page of the web app leads outside: a sign-in's pages have links to each other. */
  #leadsOutside(url: string): boolean {
    return this.#isApp() && isWebAddress(url) && !this.#options.allowedOrigins.includes(new URL(url).origin)
  }

  #take(event: DevToolsEvent): void {
    this.#extraPages.take(event)
    if (event.name === 'Target.detachedFromTarget') {
      if (event.facts.sessionId === this.#options.sessionId) void this.close()
      return
    }
    if (event.sessionId !== this.#options.sessionId) return
    this.#guard.apply(event)
    this.#notice.apply(event)
    const before = this.#documents.current
    if (this.#documents.apply(event) && isWebAddress(before?.origin ?? '')) this.#emit('unloading', {})
    this.#loads.apply(event)
    this.#dialogs.apply(event)
    switch (event.name) {
      case 'Runtime.executionContextCreated':
        this.#isCrashed = false
        if (this.#documents.find(event.facts.context.id)) this.#markUsed()
        break
      case 'Page.domContentEventFired':
        this.#markUsed()
        break
      case 'Runtime.bindingCalled':
        if (event.facts.name === hostWorldName(this.#options.bindingName))
          this.#hearHostWorld(event.facts.payload)
        else this.#takeMessage(event.facts)
        break
      case 'Inspector.targetCrashed':
        this.#isCrashed = true
        if (this.#documents.end(this.#isRestarting ? 'navigated' : 'crashed')) this.#emit('unloading', {})
        if (!this.#isRestarting) this.#emit('pageCrashed', {})
        break
      default:
    }
  }

  /** A document may only ask before it goes away once the user has used it. */
  #markUsed(): void {
    this.#page.tell('Runtime.evaluate', { expression: '1', userGesture: true })
  }

  #hearHostWorld(payload: string): void {
    const message = readHostWorldMessage(payload)
    if (message?.is === 'objection') this.#guard.noteObjection()
    if (message?.is === 'failed') this.#loads.noteDown(message.status)
    if (message?.is === 'pressed') this.#loads.notePress(message.action)
    if (message?.is === 'resized' && !this.#options.isHeadless) {
      void this.#appearance.lookAtPlacement().then(() => this.#appearance.lookAtZoom())
    }
    if (message?.is === 'notice') {
      this.#notice.set(undefined)
      this.#emit('noticeAction', { action: message.action })
    }
  }

  #takeMessage({
    name,
    payload,
    executionContextId,
  }: Extract<DevToolsEvent, { name: 'Runtime.bindingCalled' }>['facts']): void {
    const document = this.#documents.find(executionContextId)
    if (name !== this.#options.bindingName || !document) return
    if (!this.#options.allowedOrigins.includes(document.origin)) return
    let value: unknown
    try {
      value = JSON.parse(payload)
    } catch {
      return
    }
    this.#emit('message', { value, origin: document.origin })
  }
}

function checkWebAddress(url: string): void {
  if (!isWebAddress(url)) throw new EngineError('navigation', 'Only http and https addresses can be opened.')
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
