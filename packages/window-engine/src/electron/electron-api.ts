// The parts of Electron that this package uses, by structure. It does not depend on Electron; Electron's own types fit.

/** Position and size on the screen. */
export interface ElectronRectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** An event with a default action that can be prevented. */
export interface ElectronEvent {
  preventDefault(): void
}

/** `webContents.debugger`: the DevTools protocol without a port. */
export interface ElectronDebugger {
  attach(protocolVersion?: string): void
  isAttached(): boolean
  sendCommand(method: string, params?: object, sessionId?: string): Promise<unknown>
  on(
    name: 'message',
    listener: (event: ElectronEvent, method: string, params: unknown, sessionId: string) => void,
  ): unknown
  on(name: 'detach', listener: (event: ElectronEvent, reason: string) => void): unknown
}

/** Decides on a page's request for the camera, notifications and the like. */
type PermissionHandler = (
  webContents: unknown,
  permission: string,
  callback: (isGranted: boolean) => void,
  details: { readonly requestingUrl?: string },
) => void

/** `session.fromPartition()`: cookies, storage and network of one partition. */
export interface ElectronSession {
  getUserAgent(): string
  setUserAgent(userAgent: string, acceptLanguages?: string): void
  clearStorageData(): Promise<void>
  clearCache(): Promise<void>
  clearAuthCache(): Promise<void>
  setPermissionRequestHandler(handler: PermissionHandler | null): void
  fetch(
    url: string,
    init: { readonly method: string; readonly cache: 'no-store'; readonly signal: AbortSignal },
  ): Promise<{ readonly status: number }>
}

/** `window.webContents`. */
export interface ElectronWebContents {
  readonly debugger: ElectronDebugger
  loadURL(url: string): Promise<void>
  reload(): void
  forcefullyCrashRenderer(): void
  openDevTools(): void
  setZoomFactor(factor: number): void
  setWindowOpenHandler(handler: (details: { readonly url: string }) => { action: 'deny' }): void
  on(name: 'render-process-gone', listener: () => void): unknown
  on(name: 'will-navigate', listener: (event: ElectronEvent & { readonly url: string }) => void): unknown
}

/** `BrowserWindow`. */
export interface ElectronBrowserWindow {
  readonly webContents: ElectronWebContents
  minimize(): void
  hide(): void
  showInactive(): void
  restore(): void
  show(): void
  focus(): void
  moveTop(): void
  destroy(): void
  isVisible(): boolean
  isMinimized(): boolean
  isMaximized(): boolean
  isFullScreen(): boolean
  isDestroyed(): boolean
  getNormalBounds(): ElectronRectangle
  on(name: 'close', listener: (event: ElectronEvent) => void): unknown
  on(name: 'closed' | 'move' | 'resize', listener: () => void): unknown
}

/** Options of a `BrowserWindow`. */
export interface ElectronWindowOptions {
  x?: number
  y?: number
  width?: number
  height?: number
  autoHideMenuBar: boolean
  webPreferences: {
    session: never
    contextIsolation: true
    sandbox: true
    nodeIntegration: false
    devTools: boolean
  }
}

/** The parts of Electron that draw a window, such as the whole module `electron`. */
export interface ElectronParts {
  readonly app: { whenReady(): Promise<void> }
  readonly BrowserWindow: new (options: ElectronWindowOptions) => ElectronBrowserWindow
  readonly session: { fromPartition(partition: string): ElectronSession }
  readonly screen: { getAllDisplays(): readonly { readonly workArea: ElectronRectangle }[] }
  readonly shell: { openExternal(url: string): Promise<void> }
}
