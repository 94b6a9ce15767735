import { randomBytes, randomUUID } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { assertParameter } from '@service-link/protocol-core/errors'
import { Deadline, waitFor } from '@service-link/protocol-core/time'
import * as z from 'zod/mini'
import { asEngineError, DevToolsConnection, PageTarget } from '../devtools/devtools-connection.ts'
import type { Engine, OpenWindowOptions } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { visiblePlacement } from '../page/appearance.ts'
import { preparePage } from '../page/host-world.ts'
import { startPage } from '../page/own-content.ts'
import { isWebAddress, type OpenExternal } from '../web-address.ts'
import type {
  ElectronBrowserWindow,
  ElectronDebugger,
  ElectronParts,
  ElectronSession,
  ElectronWindowOptions,
} from './electron-api.ts'
import { ElectronWindow } from './electron-window.ts'

/** Options of {@link createElectronEngine}, with the parts of Electron. */
export interface ElectronEngineOptions extends ElectronParts {
  /** Name of the engine in messages. Default `Electron`. */
  readonly name?: string
  /** Longest wait for a window, in milliseconds. Default 30,000. */
  readonly startTimeoutMs?: number
  /** Opens links that lead out of the web app. Default: `shell.openExternal`. */
  readonly openExternal?: OpenExternal
}

/**
 * An engine for wrappers that are Electron applications. Its window is a `BrowserWindow`, driven by `webContents.debugger` with the
 * DevTools protocol. Use it in the main process. A window waits until the application is ready; a launch is handed over before.
 *
 * @throws {ParameterError} when an option is of another type or not known
 * @example
 * ```ts
 * import { app, BrowserWindow, screen, session, shell } from 'electron'
 * import { createWrapper } from '@service-link/wrapper-host'
 * import { createElectronEngine } from '@service-link/window-engine/electron'
 *
 * const engine = createElectronEngine({ app, BrowserWindow, screen, session, shell })
 * const wrapper = createWrapper({ engine })
 * ```
 */
export function createElectronEngine(options: ElectronEngineOptions): Engine {
  assertParameter('options', options, 'closed', {
    app: 'any',
    BrowserWindow: 'function',
    screen: 'any',
    session: 'any',
    shell: 'any',
    name: 'text?',
    startTimeoutMs: 'number?',
    openExternal: 'function?',
  })
  const { name = 'Electron', startTimeoutMs = 30_000, shell } = options
  const openExternal =
    options.openExternal ??
    (url => {
      if (isWebAddress(url)) shell.openExternal(url).catch(() => undefined)
    })
  return {
    name,
    async probe() {
      const { electron, chrome } = process.versions
      return { isAvailable: true, description: electron ? `Electron ${electron} (Chromium ${chrome})` : name }
    },
    open: windowOptions =>
      openElectronWindow({ ...windowOptions, engine: name, parts: options, startTimeoutMs, openExternal }),
  }
}

interface OpenElectronOptions extends OpenWindowOptions {
  readonly engine: string
  readonly parts: ElectronParts
  readonly startTimeoutMs: number
  readonly openExternal: OpenExternal
}

const frameTreeSchema = z.object({ frameTree: z.object({ frame: z.object({ id: z.string() }) }) })

/** Makes a window, prepares its page and goes to the first address. After a failure, the window is gone. */
async function openElectronWindow(given: OpenElectronOptions): Promise<ElectronWindow> {
  const { parts, signal } = given
  signal?.throwIfAborted()
  await waitFor(parts.app.whenReady(), signal)
  const options = { ...given, allowedOrigins: given.allowedOrigins.map(origin => new URL(origin).origin) }
  const session = prepareSession(options)
  const browserWindow = new parts.BrowserWindow(windowOptions(options, session))
  const tooSlow = () =>
    new EngineError('timeout', `Electron showed no window within ${options.startTimeoutMs} ms.`)
  using limit = new Deadline(options.startTimeoutMs, signal).limit(tooSlow)
  try {
    const opening = prepareWindow(options, browserWindow, session)
    const window = await waitFor(asEngineError(opening), limit.signal)
    // The caller adds its listeners after this function has returned.
    setImmediate(() => window.begin())
    return window
  } catch (error) {
    if (!browserWindow.isDestroyed()) browserWindow.destroy()
    limit.signal.throwIfAborted()
    if (error instanceof EngineError) throw error
    throw new EngineError('did-not-start', 'Electron did not prepare the window.')
  }
}

function prepareSession(options: OpenElectronOptions): ElectronSession {
  const { userAgentSuffix, languages, allowedOrigins } = options
  // Without the prefix `persist:` it is in memory alone.
  const session = options.parts.session.fromPartition(`service-link-${randomUUID()}`)
  const ownUserAgent = session.getUserAgent()
  session.setUserAgent(
    userAgentSuffix ? `${ownUserAgent} ${userAgentSuffix}` : ownUserAgent,
    ...(languages ? [languages.join(',')] : []),
  )
  // By default Electron grants everything to every page.
  session.setPermissionRequestHandler((_contents, _permission, callback, { requestingUrl }) =>
    callback(allowedOrigins.includes(URL.parse(requestingUrl ?? '')?.origin ?? '')),
  )
  return session
}

function windowOptions(
  { parts, placement, isDebug = false }: OpenElectronOptions,
  session: ElectronSession,
): ElectronWindowOptions {
  const screens = parts.screen
    .getAllDisplays()
    .map(({ workArea: { x, y, width, height } }) => ({ left: x, top: y, width, height }))
  const place = placement && visiblePlacement(placement, screens)
  return {
    ...(place ? { x: place.left, y: place.top, width: place.width, height: place.height } : {}),
    autoHideMenuBar: true,
    webPreferences: {
      // A session of Electron. This package declares only the members that it uses.
      session: session as never,
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      devTools: isDebug,
    },
  }
}

async function prepareWindow(
  options: OpenElectronOptions,
  browserWindow: ElectronBrowserWindow,
  session: ElectronSession,
): Promise<ElectronWindow> {
  const { webContents } = browserWindow
  // A window without a document has no process that could answer.
  await webContents.loadURL(startPage)
  if (options.isDebug) webContents.openDevTools()
  webContents.debugger.attach('1.3')
  // Developer tools or another client took it. A window that cannot be driven counts as lost.
  webContents.debugger.on('detach', () => {
    if (!browserWindow.isDestroyed()) browserWindow.destroy()
  })
  const connection = connectDebugger(webContents.debugger)
  const { frameTree } = frameTreeSchema.parse(await webContents.debugger.sendCommand('Page.getFrameTree'))
  const page = new PageTarget(connection, frameTree.frame.id, pageSessionId)
  const bindingName = `__host_${randomBytes(8).toString('hex')}`
  const window = new ElectronWindow({ ...options, browserWindow, session, page, bindingName })
  const { zoom, languages } = options
  // Electron keeps the zoom for each host after its first page.
  const stop =
    zoom !== undefined &&
    window.on('loaded', () => {
      if (stop) stop()
      webContents.setZoomFactor(zoom)
    })
  // The time limit of the whole opening is shorter.
  const timeoutMs = options.startTimeoutMs * 2
  // The session's languages are those of requests only.
  if (languages) {
    const override = { userAgent: session.getUserAgent(), acceptLanguage: languages.join(',') }
    await page.call('Emulation.setUserAgentOverride', override, { timeoutMs })
  }
  await preparePage(page, { ...options, bindingName, asksBeforeUnload: false, timeoutMs })
  return window
}

/** Session id for the page itself, which has none in Electron. */
const pageSessionId = 'page'

/** A call as a browser's pipe carries it. */
interface Request {
  readonly id: number
  readonly method: string
  readonly params: object
  readonly sessionId?: string
}

/**
 * Connects to Electron's debugger as to the pipe of a browser. The debugger knows one page only: calls to the browser go there too.
 */
function connectDebugger(port: ElectronDebugger): DevToolsConnection {
  const input = new Readable({ read: () => undefined })
  const give = (message: object) => {
    if (!input.destroyed) input.push(`${JSON.stringify(message)}\0`)
  }
  const output = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      const { id, method, params, sessionId }: Request = JSON.parse(chunk.slice(0, -1))
      const session = sessionId === undefined || sessionId === pageSessionId ? [] : [sessionId]
      // A detached debugger throws.
      const ask = async () => port.sendCommand(method, params, ...session)
      ask().then(
        result => give({ id, result }),
        () => give({ id, error: { code: 0, message: 'Electron refused the call.' } }),
      )
      done()
    },
  })
  port.on('message', (_event, method, params, sessionId) =>
    give({ method, params, sessionId: sessionId || pageSessionId }),
  )
  return new DevToolsConnection(input, output)
}
