import { asEngineError } from '../devtools/as-engine-error.ts'
import type { PageTarget } from '../devtools/page-target.ts'
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
import type { OwnPage, WindowNotice } from '../own-content.ts'
import { AppearanceWatch } from '../page/appearance-watch.ts'
import { forgetName } from '../page/clear-session.ts'
import { postForm } from '../page/form-post.ts'
import { downStatuses } from '../page/host-world.ts'
import { restoreCookies, saveCookies } from '../page/session-cookies.ts'
import { checkWebAddress, isWebAddress } from '../web-address.ts'
import type { WindowPlacement } from '../window-appearance.ts'
import type { ElectronBrowserWindow, ElectronSession } from './electron-api.ts'
import { ElectronPage } from './electron-page.ts'

/** What an {@link ElectronWindow} is made of. */
export interface ElectronWindowParts {
  readonly engine: string
  readonly browserWindow: ElectronBrowserWindow
  readonly session: ElectronSession
  readonly page: PageTarget
  /** Name of the function by which the page script sends. */
  readonly bindingName: string
  readonly allowedOrigins: readonly string[]
  /** First address. */
  readonly url: string
}

/** Longest wait for the page's process to end when it is told to, in milliseconds. */
const crashMs = 10_000

/** A `BrowserWindow` as the wrapper's window. Owns it. */
export class ElectronWindow implements EngineWindow {
  readonly #parts: ElectronWindowParts
  readonly #page: ElectronPage
  readonly #appearance: AppearanceWatch
  readonly #listeners = new EventListeners<EngineEvents>()
  readonly #gone = Promise.withResolvers<void>()
  #isMinimising = false
  /** Told when the page's process has ended on purpose. */
  #onEndedPage: (() => void) | undefined
  /** Whether somebody has asked for the window's end: its owner or its user. */
  #isAskedToClose = false

  constructor(parts: ElectronWindowParts) {
    const { page, browserWindow } = parts
    this.#parts = parts
    this.#page = new ElectronPage({
      ...parts,
      target: page,
      emit: (name, event) => this.#listeners.emit(name, event),
      onResized: () => void this.#appearance.lookAtZoom(),
    })
    this.#appearance = new AppearanceWatch({
      page,
      placement: async () => this.#placement(),
      isZoomOfApp: () => this.isApp,
      onChanged: appearance => this.#listeners.emit('appearanceChanged', appearance),
    })
    browserWindow.on('close', event => this.#takeClose(event))
    browserWindow.on('closed', () => this.#end())
    for (const name of ['move', 'resize'] as const)
      browserWindow.on(name, () => void this.#appearance.lookAtPlacement())
    browserWindow.webContents.on('render-process-gone', () => this.#takeCrash())
  }

  /** Whether the page shown is one that may talk to the host. */
  get isApp(): boolean {
    return this.#page.isApp
  }

  /** Names the document that is shown. */
  get documentId(): string | undefined {
    return this.#page.documentId
  }

  /** Begins to go to the first address. That it cannot be reached is told by `loadFailed`, as for any other. */
  begin(): void {
    this.#page.goTo(this.#page.loads.url).catch(() => undefined)
    void this.#appearance.begin()
  }

  async call(value: JsonValue, options: CallOptions): Promise<unknown> {
    options.signal?.throwIfAborted()
    if (this.#isGone) throw new PageCallError('closed')
    try {
      return await this.#page.call(value, options)
    } catch (error) {
      // Electron refuses what waits before it says that the window is gone.
      if (error instanceof PageCallError && this.#isGone) throw new PageCallError('closed')
      throw error
    }
  }

  async ping(options: CallOptions): Promise<void> {
    options.signal?.throwIfAborted()
    if (this.#isGone) throw new PageCallError('closed')
    await this.#page.ping(options)
  }

  async navigate(url: string): Promise<void> {
    this.#throwIfGone()
    checkWebAddress(url)
    const { errorText } = await asEngineError(this.#page.goTo(url))
    // A navigation that a newer one replaces is no failure.
    if (errorText && errorText !== 'net::ERR_ABORTED')
      throw new EngineError('navigation', `The address could not be opened: ${errorText}.`)
  }

  async post(
    url: string,
    form: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<{ readonly status: number }> {
    this.#throwIfGone()
    checkWebAddress(url)
    options.signal?.throwIfAborted()
    return { status: await asEngineError(postForm(this.#parts.page, { url, form, ...options })) }
  }

  async reload(): Promise<void> {
    this.#throwIfGone()
    if (this.#page.loads.isOwnPage) await asEngineError(this.#page.goTo(this.#page.loads.url))
    else this.#parts.browserWindow.webContents.reload()
  }

  async restartPage({ url }: { readonly url?: string } = {}): Promise<void> {
    this.#throwIfGone()
    if (url !== undefined) checkWebAddress(url)
    if (!this.#page.isCrashed) await this.#endPage()
    this.#throwIfGone()
    // That the address cannot be reached is told by `loadFailed`.
    this.#parts.browserWindow.webContents.loadURL(url ?? this.#page.loads.url).catch(() => undefined)
  }

  async canReach(url: string, { timeoutMs, signal }: CallOptions): Promise<boolean> {
    if (this.#isGone || !isWebAddress(url)) return false
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const { status } = await this.#parts.session.fetch(url, {
        method: 'HEAD',
        cache: 'no-store',
        signal: signal ? AbortSignal.any([timeout, signal]) : timeout,
      })
      return !downStatuses.includes(status)
    } catch {
      return false
    }
  }

  async showOwnPage(page: OwnPage): Promise<void> {
    this.#throwIfGone()
    await asEngineError(this.#page.loads.showOwnPage(page))
  }

  async setNotice(notice: WindowNotice | undefined): Promise<void> {
    this.#throwIfGone()
    this.#page.notice.set(notice)
  }

  async minimise(): Promise<void> {
    this.#throwIfGone()
    this.#parts.browserWindow.minimize()
  }

  async show(): Promise<void> {
    this.#throwIfGone()
    const { browserWindow } = this.#parts
    if (browserWindow.isMinimized()) browserWindow.restore()
    browserWindow.show()
    browserWindow.moveTop()
    browserWindow.focus()
  }

  async windowState(): Promise<WindowState> {
    if (this.#isGone) return 'closed'
    return this.#parts.browserWindow.isMinimized() ? 'minimised' : 'normal'
  }

  setMinimiseOnClose(isMinimising: boolean): void {
    this.#isMinimising = isMinimising
  }

  async saveSession(): Promise<SessionSnapshot> {
    return { engine: this.#parts.engine, data: await asEngineError(saveCookies(this.#parts.page.connection)) }
  }

  async restoreSession(session: SessionSnapshot): Promise<void> {
    if (session.engine !== this.#parts.engine)
      throw new EngineError('not-available', 'The session was saved by another engine.')
    await asEngineError(restoreCookies(this.#parts.page.connection, session.data))
  }

  async clearSession(): Promise<void> {
    this.#throwIfGone()
    const { session } = this.#parts
    try {
      await Promise.all([session.clearStorageData(), session.clearCache(), session.clearAuthCache()])
    } catch {
      throw new EngineError('refused', 'Electron did not forget the session.')
    }
    await forgetName(this.#parts.page)
    this.#page.loads.forgetHistory()
  }

  async close(): Promise<void> {
    this.#isAskedToClose = true
    this.#page.end()
    if (!this.#isGone) this.#parts.browserWindow.destroy()
    await this.#gone.promise
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  on<Name extends keyof EngineEvents>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  get #isGone(): boolean {
    return this.#parts.browserWindow.isDestroyed()
  }

  #throwIfGone(): void {
    if (this.#isGone) throw new EngineError('gone', 'The window is closed.')
  }

  #placement(): WindowPlacement | undefined {
    const { browserWindow } = this.#parts
    if (this.#isGone || browserWindow.isMinimized()) return undefined
    if (browserWindow.isMaximized() || browserWindow.isFullScreen()) return undefined
    const { x, y, width, height } = browserWindow.getNormalBounds()
    return { left: x, top: y, width, height }
  }

  /** Ends the page's process, also when its thread hangs. */
  async #endPage(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, crashMs)
    this.#onEndedPage = resolve
    this.#parts.browserWindow.webContents.forcefullyCrashRenderer()
    await promise
    this.#onEndedPage = undefined
    clearTimeout(timer)
  }

  #takeClose(event: { preventDefault(): void }): void {
    if (!this.#isMinimising || this.#isAskedToClose) {
      this.#isAskedToClose = true
      return
    }
    event.preventDefault()
    this.#parts.browserWindow.minimize()
    this.#listeners.emit('closeVetoed', {})
  }

  #takeCrash(): void {
    if (this.#page.isCrashed || this.#isGone) return
    this.#page.crash()
    if (this.#onEndedPage) this.#onEndedPage()
    else this.#listeners.emit('pageCrashed', {})
  }

  #end(): void {
    this.#appearance[Symbol.dispose]()
    this.#page.end()
    this.#parts.page.connection[Symbol.dispose]()
    this.#gone.resolve()
    this.#listeners.emit('closed', { isLost: !this.#isAskedToClose })
  }
}
