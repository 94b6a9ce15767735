import { asEngineError, type PageTarget } from '../devtools/devtools-connection.ts'
import type { DevToolsEvent, DevToolsFacts } from '../devtools/devtools-protocol.ts'
import type {
  CallOptions,
  EngineEvents,
  EngineWindow,
  JsonValue,
  OwnPage,
  SessionSnapshot,
  WindowLook,
  WindowNotice,
  WindowPlacement,
  WindowState,
} from '../engine.ts'
import { EngineError, PageCallError } from '../engine-error.ts'
import { EventListeners } from '../event-listeners.ts'
import { checkWebAddress, isWebAddress } from '../web-address.ts'
import { AppearanceWatch } from './appearance.ts'
import { postForm } from './form-post.ts'
import { hostWorldName, readHostWorldMessage } from './host-world.ts'
import { describeLoadFailure } from './load-failure.ts'
import { drawNotice, drawOwnPage, noticeLook, ownPageContent } from './own-content.ts'
import { callPage, PageDocuments, pingPage } from './page-documents.ts'
import { aborted, PageLoads, type PageStart } from './page-loads.ts'
import { restoreCookies, saveCookies } from './session-data.ts'

export interface PageWindowOptions {
  /** Name of the engine. */
  readonly engine: string
  readonly page: PageTarget
  /** First address. */
  readonly url: string
  readonly start: PageStart
  /** Name of the function by which the page script sends. */
  readonly bindingName: string
  readonly allowedOrigins: readonly string[]
  /** Whether the window is visible. If not, its appearance is not watched. */
  readonly isSeen: boolean
  /** Zoom with which the window was opened. */
  readonly zoom?: number | undefined
  readonly look?: WindowLook | undefined
}

/** Longest wait for a server's first answer to a navigation, in milliseconds. */
const navigationMs = 60_000

/**
 * A window with one page that is driven by the DevTools protocol: documents, messages, calls, loads, the wrapper's own content, and
 * the session. An engine adds the abstract methods.
 */
export abstract class PageWindow implements EngineWindow {
  protected readonly page: PageTarget
  protected readonly loads: PageLoads
  protected readonly appearance: AppearanceWatch
  protected isMinimisingOnClose = false
  protected hasDialog = false
  /** The host's world in the document that is shown. */
  protected hostContextId: string | undefined
  readonly #options: PageWindowOptions
  readonly #worldName: string
  readonly #documents: PageDocuments
  readonly #listeners = new EventListeners<EngineEvents>()
  #notice: WindowNotice | undefined
  /** Settles when the wrapper's own page stands in its document. Never rejects. */
  #ownPageDrawn: Promise<unknown> | undefined
  #isCrashed = false
  /** Whether the page's process is ended on purpose. */
  #isRestarting = false
  #isEnded = false

  constructor(options: PageWindowOptions) {
    const { page, start, url, zoom } = options
    this.page = page
    this.#options = options
    this.#worldName = hostWorldName(options.bindingName)
    this.#documents = new PageDocuments(page.targetId)
    this.loads = new PageLoads(page, start, url, (name, event) => {
      this.emit(name, event)
      if (name === 'loaded') this.#lookAtAppearance()
    })
    this.appearance = new AppearanceWatch({
      page,
      zoom,
      placement: () => this.placement(),
      isZoomOfApp: () => this.isApp,
      onChanged: appearance => this.emit('appearanceChanged', appearance),
    })
  }

  /** Whether the page waits for its user in a dialog, or for the server of the next page. */
  protected abstract isPageWaiting(): boolean
  /** Ends the process of a page that has not crashed, also when its thread hangs. */
  protected abstract endPageProcess(): Promise<void>
  /** Where the window is; `undefined` while its user has not chosen that: it is minimized, or as large as the screen. */
  protected abstract placement(): Promise<WindowPlacement | undefined>
  abstract canReach(url: string, options: CallOptions): Promise<boolean>
  abstract minimise(): Promise<void>
  abstract show(): Promise<void>
  abstract windowState(): Promise<WindowState>
  abstract close(): Promise<void>

  /** Whether the document is one of the web app, which may be called. */
  get isApp(): boolean {
    return this.#options.allowedOrigins.includes(this.#documents.current?.origin ?? '')
  }

  /**
   * Begins to go to the first address, unless the host has begun to go to another. Call it after `open` has returned, so that the
   * caller has added its listeners.
   */
  begin(): void {
    if (!this.loads.hasBegun) this.goTo(this.loads.url).catch(() => undefined)
    if (!this.#options.isSeen) return
    void this.bringOntoScreen()
      .catch(() => undefined)
      .then(() => this.appearance.begin())
  }

  async call(value: JsonValue, options: CallOptions): Promise<unknown> {
    this.#checkPage(options)
    const document = this.#documents.current
    if (!document) throw new PageCallError('navigated')
    if (!this.isApp) throw new PageCallError('foreign-origin')
    try {
      return await callPage(this.page, document, value, options)
    } catch (error) {
      // The browser may refuse calls before it says that the window is gone.
      if (error instanceof PageCallError && this.isGone) throw new PageCallError('closed')
      throw error
    }
  }

  async ping(options: CallOptions): Promise<void> {
    this.#checkPage(options)
    if (this.isPageWaiting()) return
    try {
      await pingPage(this.page, options)
    } catch (error) {
      const isSilent = error instanceof PageCallError && error.fault === 'timeout'
      // A dialog may have opened since the ping began.
      if (!isSilent || !this.isPageWaiting()) throw error
    }
  }

  async navigate(url: string): Promise<void> {
    this.throwIfGone()
    checkWebAddress(url)
    const errorText = await asEngineError(this.goTo(url))
    // A navigation that a newer one replaces is no failure.
    if (errorText && errorText !== aborted)
      throw new EngineError('navigation', describeLoadFailure(errorText))
  }

  async post(
    url: string,
    form: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<{ readonly status: number }> {
    this.throwIfGone()
    checkWebAddress(url)
    options.signal?.throwIfAborted()
    const status = await asEngineError(postForm(this.page, this.loads, { url, form, ...options }))
    return { status }
  }

  async reload(): Promise<void> {
    this.throwIfGone()
    if (this.loads.ownPage) await asEngineError(this.goTo(this.loads.url))
    else await asEngineError(this.page.call('Page.reload'))
  }

  async restartPage({ url }: { readonly url?: string } = {}): Promise<void> {
    this.throwIfGone()
    if (url !== undefined) checkWebAddress(url)
    await asEngineError(this.#endProcess())
    this.throwIfGone()
    await asEngineError(this.goTo(url ?? this.loads.url))
  }

  /** A page that hangs gives way to no other: its process is ended then. */
  async showOwnPage(page: OwnPage): Promise<void> {
    this.throwIfGone()
    try {
      await asEngineError(this.loads.showOwnPage(page))
    } catch (error) {
      if (!(error instanceof EngineError) || error.fault !== 'timeout') throw error
      await asEngineError(this.#endProcess())
      await asEngineError(this.loads.showOwnPage(page))
    }
    await this.#ownPageDrawn
  }

  async setNotice(notice: WindowNotice | undefined): Promise<void> {
    this.throwIfGone()
    this.#setNotice(notice)
  }

  setMinimiseOnClose(isMinimising: boolean): void {
    this.isMinimisingOnClose = isMinimising
  }

  async saveSession(): Promise<SessionSnapshot> {
    return { engine: this.#options.engine, data: await asEngineError(saveCookies(this.page.connection)) }
  }

  async restoreSession(session: SessionSnapshot): Promise<void> {
    if (session.engine !== this.#options.engine)
      throw new EngineError('not-available', 'The session was saved by another engine.')
    await asEngineError(restoreCookies(this.page.connection, session.data))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  on<Name extends keyof EngineEvents>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  protected emit<Name extends keyof EngineEvents>(name: Name, event: EngineEvents[Name]): void {
    this.#listeners.emit(name, event)
  }

  protected get isGone(): boolean {
    return this.#isEnded
  }

  protected throwIfGone(): void {
    if (this.isGone) throw new EngineError('gone', 'The window is closed.')
  }

  /** Takes an event of the page. */
  protected handlePageEvent(event: DevToolsEvent): void {
    if (this.#isEnded) return
    this.#followHostWorld(event)
    const before = this.#documents.current
    if (this.#documents.apply(event) && isWebAddress(before?.origin ?? '')) this.emit('unloading', {})
    this.loads.apply(event)
    if (event.name === 'Runtime.executionContextCreated') this.#isCrashed = false
    if (event.name === 'Runtime.bindingCalled') this.#receiveBinding(event.facts)
    if (event.name === 'Page.javascriptDialogOpening') this.hasDialog = true
    if (event.name === 'Page.javascriptDialogClosed') this.hasDialog = false
    if (event.name === 'Inspector.targetCrashed') this.noteCrash()
  }

  /** The page's process has ended. It may be called twice. */
  protected noteCrash(): void {
    this.hasDialog = false
    if (this.#isCrashed || this.isGone) return
    this.#isCrashed = true
    if (this.#documents.end(this.#isRestarting ? 'navigated' : 'crashed')) this.emit('unloading', {})
    if (!this.#isRestarting) this.emit('pageCrashed', {})
  }

  /** Moves a window that its user would not see. */
  protected async bringOntoScreen(): Promise<void> {}

  /** The page's own handlers object to the document going away. */
  protected noteObjection(): void {}

  /** The user closes the window, which is minimized instead, or stays. */
  protected vetoClose(isStaying: boolean): void {
    if (!isStaying) this.minimise().catch(() => undefined)
    this.emit('closeVetoed', {})
  }

  /** Lets later calls into the page fail, and ignores its events. */
  protected endPage(): void {
    this.#isEnded = true
    this.#documents.end('closed')
  }

  /** The window is gone. */
  protected end(isLost: boolean): void {
    this.endPage()
    this.appearance[Symbol.dispose]()
    this.emit('closed', { isLost })
  }

  /** Returns why the address could not be opened, as {@link PageLoads.goTo}. */
  protected goTo(url: string): Promise<string | undefined> {
    return this.loads.goTo(url, { timeoutMs: navigationMs })
  }

  #followHostWorld(event: DevToolsEvent): void {
    if (event.name === 'Runtime.executionContextsCleared' || event.name === 'Inspector.targetCrashed')
      this.hostContextId = undefined
    if (event.name !== 'Runtime.executionContextCreated') return
    const { name, uniqueId, auxData } = event.facts.context
    if (name !== this.#worldName || auxData.frameId !== this.page.targetId) return
    this.hostContextId = uniqueId
    if (this.loads.ownPage) this.#drawOwnPage(this.loads.ownPage, uniqueId)
    if (this.#notice) this.#setNotice(this.#notice)
  }

  #drawOwnPage(page: OwnPage, uniqueContextId: string): void {
    const drawing = this.page.call('Runtime.callFunctionOn', {
      functionDeclaration: drawOwnPage,
      uniqueContextId,
      arguments: [
        { value: ownPageContent(page, this.#options.look) },
        { value: page.language ?? 'en' },
        { value: this.#worldName },
      ],
    })
    this.#ownPageDrawn = drawing.catch(() => undefined)
  }

  /** Draws or removes the notice. A document that does not answer is skipped. */
  #setNotice(notice: WindowNotice | undefined): void {
    this.#notice = notice
    if (this.hostContextId === undefined) return
    this.page.tell('Runtime.callFunctionOn', {
      functionDeclaration: drawNotice,
      uniqueContextId: this.hostContextId,
      arguments: [
        { value: notice ? { ...notice, followLabel: notice.followLabel ?? null } : null },
        { value: this.#worldName },
        { value: noticeLook(this.#options.look) },
      ],
    })
  }

  async #endProcess(): Promise<void> {
    this.#isRestarting = true
    try {
      if (!this.#isCrashed) await this.endPageProcess()
    } finally {
      this.#isRestarting = false
    }
  }

  #checkPage({ signal }: CallOptions): void {
    signal?.throwIfAborted()
    if (this.isGone) throw new PageCallError('closed')
    if (this.#isCrashed) throw new PageCallError('crashed')
  }

  #lookAtAppearance(): void {
    if (!this.#options.isSeen) return
    void this.appearance.lookAtPlacement().then(() => this.appearance.lookAtZoom())
  }

  #receiveBinding({ name, payload, executionContextId }: DevToolsFacts<'Runtime.bindingCalled'>): void {
    const { bindingName } = this.#options
    if (name === this.#worldName) this.#hearHostWorld(payload)
    const document = this.#documents.find(executionContextId)
    if (name !== bindingName || !document || !this.isApp) return
    let value: unknown
    try {
      value = JSON.parse(payload)
    } catch {
      return
    }
    this.emit('message', { value, origin: document.origin })
  }

  #hearHostWorld(payload: string): void {
    const message = readHostWorldMessage(payload)
    if (message?.is === 'objection') this.noteObjection()
    if (message?.is === 'failed') this.loads.noteDown(message.status)
    if (message?.is === 'pressed') this.loads.notePress(message.action)
    if (message?.is === 'resized') this.#lookAtAppearance()
    if (message?.is !== 'notice') return
    this.#setNotice(undefined)
    this.emit('noticeAction', { action: message.action })
  }
}
