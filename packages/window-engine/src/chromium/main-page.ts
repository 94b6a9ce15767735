import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import type { PageTarget } from '../devtools/page-target.ts'
import type { CallOptions, EngineEvents, JsonValue } from '../engine.ts'
import { EngineError, PageCallError } from '../engine-error.ts'
import { leadsOutside } from '../leads-outside.ts'
import type { OpenExternal } from '../open-external.ts'
import type { OwnPage, WindowNotice } from '../own-content.ts'
import { callPage, pingPage } from '../page/call-page.ts'
import { postForm } from '../page/form-post.ts'
import { aborted, goTo } from '../page/go-to.ts'
import { type HostWorldMessage, readHostWorldMessage } from '../page/host-world.ts'
import { NoticeBar } from '../page/notice-bar.ts'
import { PageDocuments } from '../page/page-documents.ts'
import { PageLoads } from '../page/page-loads.ts'
import { hostWorldName } from '../page/prepare-page.ts'
import { checkWebAddress, isWebAddress } from '../web-address.ts'
import { CloseGuard } from './close-guard.ts'
import { endPageProcess } from './end-page-process.ts'
import { PageDialogs } from './page-dialogs.ts'
import { UsedMark } from './used-mark.ts'

/** What {@link MainPage} tells the window; the rest are events of the engine's window. */
export interface MainPageListener {
  /** Whether a page beside this one, which may share its thread, waits for its user in a dialog. */
  hasExtraDialog(): boolean
  emit<Name extends keyof EngineEvents>(name: Name, event: EngineEvents[Name]): void
  /** A document of the web app has come, or the window is of another size. */
  onResized(): void
  /** The user closes the window; it goes once this settles. */
  beforeClose(): Promise<void>
  /** The user closes the window, which is to be minimised. */
  minimise(): void
}

/** What a {@link MainPage} is made of. */
export interface MainPageOptions {
  readonly page: PageTarget
  /** First address. */
  readonly url: string
  readonly bindingName: string
  readonly allowedOrigins: readonly string[]
  readonly isHeadless: boolean
  readonly openExternal: OpenExternal
  readonly listener: MainPageListener
}

/** Longest wait for a server's first answer to a navigation, in milliseconds. */
const navigationMs = 60_000
/** How often a navigation is begun that leads away from a page of the wrapper's own. */
const navigationAttempts = 3

/** The one page of a window, composed of its parts. What the browser refuses rejects with {@link DevToolsCallError}. */
export class MainPage {
  readonly #options: MainPageOptions
  readonly #page: PageTarget
  readonly #worldName: string
  readonly #documents: PageDocuments
  readonly #loads: PageLoads
  readonly #guard: CloseGuard
  readonly #dialogs: PageDialogs
  readonly #notice: NoticeBar
  readonly #used: UsedMark
  #isMinimisingOnClose = false
  #isCrashed = false
  /** Whether the page's process is ended on purpose. */
  #isRestarting = false
  #isClosed = false

  constructor(options: MainPageOptions) {
    const { page, url, isHeadless, openExternal, listener } = options
    this.#options = options
    this.#page = page
    this.#worldName = hostWorldName(options.bindingName)
    this.#documents = new PageDocuments(page.targetId)
    this.#guard = new CloseGuard(page.targetId)
    this.#notice = new NoticeBar(page, this.#worldName)
    this.#used = new UsedMark(page, this.#worldName, () => this.isApp || this.#loads.isOfWrapper)
    this.#loads = new PageLoads(page, url, {
      onLoaded: event => {
        listener.emit('loaded', event)
        listener.onResized()
      },
      onLoadFailed: event => listener.emit('loadFailed', event),
      onOwnPageAction: event => listener.emit('ownPageAction', event),
    })
    this.#dialogs = new PageDialogs({
      page,
      guard: this.#guard,
      isHeadless,
      isMinimisingOnClose: () => this.#isMinimisingOnClose,
      leadsOutside: to =>
        leadsOutside({ url: to, isLink: true, isFromApp: this.isApp }, options.allowedOrigins),
      openExternal,
      beforeClose: () => listener.beforeClose(),
      minimise: () => listener.minimise(),
    })
  }

  /** Whether the document is one of the web app, which may be called. */
  get isApp(): boolean {
    return this.#options.allowedOrigins.includes(this.#documents.current?.origin ?? '')
  }

  setMinimiseOnClose(isMinimising: boolean): void {
    this.#isMinimisingOnClose = isMinimising
  }

  /** @throws {PageCallError} as {@link EngineWindow.call} */
  async call(value: JsonValue, options: CallOptions): Promise<unknown> {
    this.#check(options)
    const document = this.#documents.current
    if (!document) throw new PageCallError('navigated')
    if (!this.isApp) throw new PageCallError('foreign-origin')
    return callPage({ page: this.#page, document }, value, options)
  }

  /** @throws {PageCallError} as {@link EngineWindow.ping} */
  async ping(options: CallOptions): Promise<void> {
    this.#check(options)
    // It has answered: it waits for its user, or for the server of the page that comes next.
    if (this.#dialogs.isOpen || this.#guard.isLeaving || this.#options.listener.hasExtraDialog()) return
    await pingPage(this.#page, options)
  }

  /** Begins to go to the first address. That it cannot be reached is told by `loadFailed`, as for any other. */
  begin(): void {
    this.#goTo(this.#loads.url).catch(() => undefined)
  }

  /** @throws {EngineError} `navigation` */
  async navigate(url: string): Promise<void> {
    checkWebAddress(url)
    const errorText = await this.#goTo(url)
    // A navigation that a newer one replaces is no failure.
    if (errorText && errorText !== aborted)
      throw new EngineError('navigation', `The address could not be opened: ${errorText}.`)
  }

  /** @throws {EngineError} `navigation` */
  async post(url: string, form: Readonly<Record<string, string>>, options: CallOptions): Promise<number> {
    checkWebAddress(url)
    options.signal?.throwIfAborted()
    return postForm(this.#page, { url, form, ...options })
  }

  async reload(): Promise<void> {
    if (this.#loads.isOwnPage) await this.#goTo(this.#loads.url)
    else await this.#page.call('Page.reload')
  }

  /**
   * That the address cannot be reached is told by `loadFailed`.
   *
   * @param url default: the one that is shown
   */
  async restart(url?: string): Promise<void> {
    if (url !== undefined) checkWebAddress(url)
    await this.#endProcess()
    await this.#goTo(url ?? this.#loads.url)
  }

  /** A page that hangs gives way to no other: its process is ended then. */
  async showOwnPage(page: OwnPage): Promise<void> {
    try {
      await this.#loads.showOwnPage(page)
    } catch (error) {
      if (!(error instanceof EngineError) || error.fault !== 'timeout') throw error
      await this.#endProcess()
      await this.#loads.showOwnPage(page)
    }
  }

  async #endProcess(): Promise<void> {
    this.#isRestarting = true
    try {
      if (!this.#isCrashed) await endPageProcess(this.#page)
    } finally {
      this.#isRestarting = false
    }
  }

  forgetHistory(): void {
    this.#loads.forgetHistory()
  }

  setNotice(notice: WindowNotice | undefined): void {
    this.#notice.set(notice)
  }

  /** The browser has ended. */
  end(): void {
    this.#isClosed = true
    this.#documents.end('closed')
  }

  /** Takes an event of the page. */
  apply(event: DevToolsEvent): void {
    const { listener } = this.#options
    this.#guard.apply(event)
    this.#notice.apply(event)
    const before = this.#documents.current
    if (this.#documents.apply(event) && isWebAddress(before?.origin ?? '')) listener.emit('unloading', {})
    this.#loads.apply(event)
    this.#used.apply(event)
    this.#dialogs.apply(event)
    switch (event.name) {
      case 'Runtime.executionContextCreated':
        this.#isCrashed = false
        break
      case 'Runtime.bindingCalled':
        if (event.facts.name === this.#worldName) this.#hear(readHostWorldMessage(event.facts.payload))
        else this.#takeMessage(event.facts)
        break
      case 'Inspector.targetCrashed':
        this.#isCrashed = true
        if (this.#documents.end(this.#isRestarting ? 'navigated' : 'crashed')) listener.emit('unloading', {})
        if (!this.#isRestarting) listener.emit('pageCrashed', {})
        break
      default:
    }
  }

  #check({ signal }: CallOptions): void {
    signal?.throwIfAborted()
    if (this.#isClosed) throw new PageCallError('closed')
    if (this.#isCrashed) throw new PageCallError('crashed')
  }

  async #goTo(url: string): Promise<string | undefined> {
    for (let attempt = 1; ; attempt++) {
      const isFromOwnPage = this.#loads.isOwnPage
      const errorText = await goTo(this.#page, url, { timeoutMs: navigationMs })
      // The end of its load takes the next navigation back, in a browser that is slow to tell of it.
      const isTakenBack = errorText === aborted && isFromOwnPage && this.#loads.isOwnPage
      if (!isTakenBack || attempt === navigationAttempts) return errorText
    }
  }

  #hear(message: HostWorldMessage | undefined): void {
    const { listener } = this.#options
    if (message?.is === 'objection') this.#guard.noteObjection()
    if (message?.is === 'failed') this.#loads.noteDown(message.status)
    if (message?.is === 'pressed') this.#loads.notePress(message.action)
    if (message?.is === 'resized') listener.onResized()
    if (message?.is !== 'notice') return
    this.#notice.set(undefined)
    listener.emit('noticeAction', { action: message.action })
  }

  #takeMessage({
    name,
    payload,
    executionContextId,
  }: Extract<DevToolsEvent, { name: 'Runtime.bindingCalled' }>['facts']): void {
    const { bindingName, allowedOrigins, listener } = this.#options
    const document = this.#documents.find(executionContextId)
    if (name !== bindingName || !document || !allowedOrigins.includes(document.origin)) return
    let value: unknown
    try {
      value = JSON.parse(payload)
    } catch {
      return
    }
    listener.emit('message', { value, origin: document.origin })
  }
}
