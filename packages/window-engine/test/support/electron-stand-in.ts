import { EventEmitter } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type {
  ElectronParts,
  ElectronRectangle,
  ElectronSession,
  ElectronWindowOptions,
} from '../../src/electron/electron-api.ts'
import { PageOfBrowser } from './electron-devtools.ts'

// A stand-in for the part of Electron that the adapter uses. Each window has a real page in a headless browser, with real
// cookies, storage and debugger. Windows and their events are simulated.

/** Electron's cancelable event. */
class StandInEvent {
  isPrevented = false
  readonly url: string

  constructor(url = '') {
    this.url = url
  }

  preventDefault(): void {
    this.isPrevented = true
  }
}

class StandInSession implements ElectronSession {
  /** Folder of the browser behind it; Electron's is in memory. */
  readonly path = mkdtempSync(join(tmpdir(), 'stand-in-'))
  userAgent: string | undefined
  acceptLanguages: string | undefined
  page: PageOfBrowser | undefined
  permissionHandler: Parameters<ElectronSession['setPermissionRequestHandler']>[0] = null

  getUserAgent(): string {
    return this.userAgent ?? 'Mozilla/5.0 (Stand-In) Electron/45.0.0'
  }

  setUserAgent(userAgent: string, acceptLanguages?: string): void {
    this.userAgent = userAgent
    this.acceptLanguages = acceptLanguages
  }

  setPermissionRequestHandler(handler: Parameters<ElectronSession['setPermissionRequestHandler']>[0]): void {
    this.permissionHandler = handler
  }

  async clearStorageData(): Promise<void> {
    await this.page?.call('Storage.clearDataForOrigin', { origin: '*', storageTypes: 'all' })
    await this.page?.callBrowser('Storage.clearCookies')
  }

  async clearCache(): Promise<void> {
    await this.page?.call('Network.clearBrowserCache')
  }

  async clearAuthCache(): Promise<void> {}

  fetch(url: string, init: { readonly method: string; readonly signal: AbortSignal }) {
    return fetch(url, init)
  }
}

class StandInDebugger extends EventEmitter {
  readonly #contents: StandInContents
  #isAttached = false
  readonly #tell = (method: string, params: unknown) => this.emit('message', {}, method, params, '')

  constructor(contents: StandInContents) {
    super()
    this.#contents = contents
  }

  attach(): void {
    this.#isAttached = true
    this.#contents.page.events.on('event', this.#tell)
  }

  /** Like Electron for developer tools. */
  detachByElectron(): void {
    this.#isAttached = false
    this.#contents.page.events.off('event', this.#tell)
    this.emit('detach', {}, 'replaced with devtools')
  }

  isAttached(): boolean {
    return this.#isAttached
  }

  async sendCommand(method: string, params: object = {}): Promise<unknown> {
    if (!this.#isAttached) throw new Error('No target available')
    return this.#contents.page.call(method, params)
  }
}

class StandInContents extends EventEmitter {
  readonly debugger = new StandInDebugger(this)
  readonly #session: StandInSession
  readonly #options: ElectronWindowOptions
  readonly started: Promise<PageOfBrowser>
  windowOpenHandler: ((details: { readonly url: string }) => { action: 'deny' }) | undefined
  areToolsOpen = false

  constructor(options: ElectronWindowOptions) {
    super()
    this.#options = options
    this.#session = options.webPreferences.session as unknown as StandInSession
    this.started = this.#start()
    this.started.catch(() => undefined)
  }

  get page(): PageOfBrowser {
    if (!this.#session.page) throw new Error('It has shown nothing yet.')
    return this.#session.page
  }

  async end(): Promise<void> {
    await this.started.then(page => page.end()).catch(() => undefined)
    await rm(this.#session.path, { recursive: true, force: true, maxRetries: 5 })
  }

  async loadURL(url: string): Promise<void> {
    const page = await this.started
    const { errorText } = (await page.call('Page.navigate', { url })) as { errorText?: string }
    if (errorText) throw new Error(errorText)
  }

  reload(): void {
    this.page.call('Page.reload').catch(() => undefined)
  }

  /** Ends the process, like Electron's; the protocol's command waits for the page's thread, a signal does not. */
  forcefullyCrashRenderer(): void {
    void this.#killRenderers()
  }

  openDevTools(): void {
    this.areToolsOpen = true
  }

  setZoomFactor(factor: number): void {
    const { width = 800, height = 600 } = this.#options
    const metrics = {
      width: Math.round(width / factor),
      height: Math.round(height / factor),
      deviceScaleFactor: factor,
      mobile: false,
    }
    this.page.call('Emulation.setDeviceMetricsOverride', metrics).catch(() => undefined)
  }

  setWindowOpenHandler(handler: (details: { readonly url: string }) => { action: 'deny' }): void {
    this.windowOpenHandler = handler
  }

  /** Like Electron's question when a page navigates by a link, script or form. */
  mayNavigate(url: string): boolean {
    const event = new StandInEvent(url)
    this.emit('will-navigate', event)
    return !event.isPrevented
  }

  async #start(): Promise<PageOfBrowser> {
    const page = await PageOfBrowser.start(this.#session.path)
    this.#session.page = page
    page.events.on('event', (method: string) => {
      if (method === 'Inspector.targetCrashed') this.emit('render-process-gone')
    })
    await page.guardNavigation(url => this.mayNavigate(url))
    if (this.#session.userAgent !== undefined)
      await page.call('Emulation.setUserAgentOverride', { userAgent: this.#session.userAgent })
    return page
  }

  async #killRenderers(): Promise<void> {
    const { processInfo } = (await this.page.callBrowser('SystemInfo.getProcessInfo')) as {
      processInfo: { type: string; id: number }[]
    }
    for (const { type, id } of processInfo) if (type === 'renderer') process.kill(id, 'SIGKILL')
  }
}

/** An invisible window. */
export class StandInWindow extends EventEmitter {
  readonly webContents: StandInContents
  readonly options: ElectronWindowOptions
  #bounds: ElectronRectangle
  #isMinimised = false
  #isDestroyed = false
  #isVisible = true

  constructor(options: ElectronWindowOptions) {
    super()
    this.options = options
    const { x = 0, y = 0, width = 800, height = 600 } = options
    this.#bounds = { x, y, width, height }
    this.webContents = new StandInContents(options)
  }

  minimize(): void {
    this.#isMinimised = true
  }

  restore(): void {
    this.#isMinimised = false
  }

  show(): void {
    this.#isVisible = true
  }

  showInactive(): void {
    this.#isVisible = true
  }

  hide(): void {
    this.#isVisible = false
  }

  focus(): void {}
  moveTop(): void {}
  isVisible = () => this.#isVisible
  isMinimized = () => this.#isMinimised
  isMaximized = () => false
  isFullScreen = () => false
  isDestroyed = () => this.#isDestroyed
  getNormalBounds = () => this.#bounds

  /** Like the window manager when its user closes it. */
  closeByUser(): void {
    const event = new StandInEvent()
    this.emit('close', event)
    if (!event.isPrevented) this.destroy()
  }

  /** Like the window manager when its user moves it. */
  moveByUser(bounds: ElectronRectangle): void {
    this.#bounds = bounds
    this.emit('move')
  }

  destroy(): void {
    if (this.#isDestroyed) return
    this.#isDestroyed = true
    // Electron's windows are gone at once; this browser needs time and uses its files until then.
    void this.webContents.end().finally(() => this.emit('closed'))
  }
}

/** The parts of a stand-in, and the windows made with them. */
export function standInForElectron() {
  const sessions = new Map<string, StandInSession>()
  const windows: StandInWindow[] = []
  class BrowserWindow extends StandInWindow {
    constructor(options: ElectronWindowOptions) {
      super(options)
      windows.push(this)
    }
  }
  const opened: string[] = []
  const parts: ElectronParts = {
    app: { whenReady: async () => undefined },
    BrowserWindow,
    session: {
      fromPartition(partition) {
        const session = sessions.get(partition) ?? new StandInSession()
        sessions.set(partition, session)
        return session
      },
    },
    screen: { getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1280, height: 900 } }] },
    shell: { openExternal: async url => void opened.push(url) },
  }
  return { parts, windows, sessions, opened }
}
