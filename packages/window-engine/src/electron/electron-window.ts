import { Deadline } from '@service-link/protocol-core/time'
import { type DevToolsEvent, readDevToolsEvent } from '../devtools/devtools-protocol.ts'
import type { CallOptions, WindowPlacement, WindowState } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { downStatuses } from '../page/host-world.ts'
import { PageWindow, type PageWindowOptions } from '../page/page-window.ts'
import { isWebAddress, leadsOutside, type OpenExternal } from '../web-address.ts'
import type { ElectronBrowserWindow, ElectronSession } from './electron-api.ts'

interface ElectronWindowOptions extends Omit<PageWindowOptions, 'isSeen'> {
  readonly browserWindow: ElectronBrowserWindow
  readonly session: ElectronSession
  readonly openExternal: OpenExternal
}

/** Longest wait for the page's process to end, in milliseconds. */
const crashMs = 10_000
/** Longest wait for the page to clear the window's name, in milliseconds. */
const nameMs = 2000

/** The wrapper's window in a `BrowserWindow`, which it owns. */
export class ElectronWindow extends PageWindow {
  readonly #window: ElectronBrowserWindow
  readonly #session: ElectronSession
  readonly #gone = Promise.withResolvers<void>()
  #pageEnd = Promise.withResolvers<void>()
  /** Whether owner or user has asked to close the window. */
  #isAskedToClose = false
  /** Whether the page waits for the server of the next one. */
  #isLeaving = false
  /** Whether {@link hide} was the last change. */
  #wasHidden = false

  constructor(options: ElectronWindowOptions) {
    super({ ...options, isSeen: true })
    const { browserWindow, page } = options
    this.#window = browserWindow
    this.#session = options.session
    browserWindow.on('close', event => this.#noteClose(event))
    browserWindow.on('closed', () => this.#noteEnd())
    for (const name of ['move', 'resize'] as const)
      browserWindow.on(name, () => void this.appearance.lookAtPlacement())
    browserWindow.webContents.on('render-process-gone', () => this.noteCrash())
    this.#guardNavigation(options)
    page.connection.onEvent(event => {
      if (event.sessionId !== page.sessionId) return
      this.#noteWait(event)
      this.handlePageEvent(event)
    })
  }

  async canReach(url: string, { timeoutMs, signal }: CallOptions): Promise<boolean> {
    if (this.isGone || !isWebAddress(url)) return false
    using limit = new Deadline(timeoutMs, signal).limit(
      () => new EngineError('timeout', 'No answer in time.'),
    )
    try {
      const request = { method: 'HEAD', cache: 'no-store', signal: limit.signal } as const
      const { status } = await this.#session.fetch(url, request)
      return !downStatuses.includes(status)
    } catch {
      return false
    }
  }

  async minimise(): Promise<void> {
    this.throwIfGone()
    // A hidden window has no place in the task bar.
    if (this.#isHidden()) this.#window.showInactive()
    this.#wasHidden = false
    this.#window.minimize()
  }

  async hide(): Promise<void> {
    this.throwIfGone()
    this.#wasHidden = true
    this.#window.hide()
  }

  async show(): Promise<void> {
    this.throwIfGone()
    this.#wasHidden = false
    if (this.#window.isMinimized()) this.#window.restore()
    this.#window.show()
    this.#window.moveTop()
    this.#window.focus()
  }

  async windowState(): Promise<WindowState> {
    if (this.isGone) return 'closed'
    return this.#isHidden() || this.#window.isMinimized() ? 'minimised' : 'normal'
  }

  async close(): Promise<void> {
    this.#isAskedToClose = true
    this.endPage()
    if (!this.#window.isDestroyed()) this.#window.destroy()
    await this.#gone.promise
  }

  /** Does not exchange the window: an Electron application usually ends with its last one. */
  async clearSession(): Promise<void> {
    this.throwIfGone()
    try {
      const session = this.#session
      await Promise.all([session.clearStorageData(), session.clearCache(), session.clearAuthCache()])
    } catch {
      throw new EngineError('refused', 'Electron did not forget the session.')
    }
    // Pages of one site share it. A page that hangs never clears it.
    const options = { timeoutMs: nameMs }
    await this.page
      .call('Runtime.evaluate', { expression: `globalThis.name = ''` }, options)
      .catch(() => undefined)
    this.loads.forgetHistory()
  }

  protected override get isGone(): boolean {
    return this.#window.isDestroyed()
  }

  protected isPageWaiting(): boolean {
    // The end of the previous load may be reported after a navigation of the host has begun.
    return this.hasDialog || this.#isLeaving || this.loads.isNavigating
  }

  protected async reloadPage(): Promise<void> {
    this.#window.webContents.reload()
  }

  protected async endPageProcess(): Promise<void> {
    this.#pageEnd = Promise.withResolvers()
    this.#window.webContents.forcefullyCrashRenderer()
    const tooLate = () => new EngineError('timeout', 'The page’s process did not end.')
    await new Deadline(crashMs).waitFor(this.#pageEnd.promise, tooLate).catch(() => undefined)
  }

  /** Uses Electron: the debugger has no page until there is a process. */
  protected async loadAfterEnd(url: string): Promise<void> {
    this.#window.webContents.loadURL(url).catch(() => undefined)
  }

  protected async placement(): Promise<WindowPlacement | undefined> {
    const window = this.#window
    if (this.isGone || window.isMinimized() || window.isMaximized() || window.isFullScreen()) return undefined
    const { x, y, width, height } = window.getNormalBounds()
    return { left: x, top: y, width, height }
  }

  protected override noteCrash(): void {
    this.#isLeaving = false
    super.noteCrash()
    this.#pageEnd.resolve()
  }

  /** Whether it is hidden still: the integrator's program may have shown it. */
  #isHidden(): boolean {
    return this.#wasHidden && !this.#window.isVisible()
  }

  #noteClose(event: { preventDefault(): void }): void {
    if (!this.isMinimisingOnClose || this.#isAskedToClose) {
      this.#isAskedToClose = true
      return
    }
    event.preventDefault()
    this.vetoClose()
  }

  #noteEnd(): void {
    this.page.connection[Symbol.dispose]()
    this.#gone.resolve()
    this.end(!this.#isAskedToClose)
  }

  #noteWait(event: DevToolsEvent): void {
    const { targetId } = this.page
    if (event.name === 'Page.frameStartedNavigating' && event.facts.frameId === targetId)
      this.#isLeaving ||= !/sameDocument$/i.test(event.facts.navigationType)
    if (event.name === 'Page.frameNavigated' && event.facts.frame.parentId === undefined)
      this.#isLeaving = false
    if (event.name === 'Page.frameStoppedLoading' && event.facts.frameId === targetId) this.#isLeaving = false
  }

  /**
   * Sends links that lead out of the web app to the user's browser (see {@link leadsOutside}). Pages that the web app opens in a new
   * window come into this one. Electron does not tell a link from a script or a form. A DevTools event just before does.
   */
  #guardNavigation({ allowedOrigins, openExternal }: ElectronWindowOptions): void {
    const contents = this.#window.webContents
    /** Address of the page's last request, if it was a link. */
    let followedLink: string | undefined
    contents.setWindowOpenHandler(({ url }) => {
      if (allowedOrigins.includes(URL.parse(url)?.origin ?? '')) contents.loadURL(url).catch(() => undefined)
      else if (isWebAddress(url)) openExternal(url)
      return { action: 'deny' }
    })
    contents.debugger.on('message', (_event, method, params) => {
      const event = readDevToolsEvent(method, params)
      if (event?.name !== 'Page.frameRequestedNavigation' || event.facts.frameId !== this.page.targetId)
        return
      const { reason, disposition, url } = event.facts
      if (disposition === 'currentTab') followedLink = reason === 'anchorClick' ? url : undefined
    })
    contents.on('will-navigate', event => {
      const { url } = event
      const isFromApp = this.isApp
      if (leadsOutside({ url, isLink: url === followedLink, isFromApp }, allowedOrigins)) {
        event.preventDefault()
        openExternal(url)
      } else if (isFromApp && !isWebAddress(url)) {
        event.preventDefault()
      }
    })
  }
}
