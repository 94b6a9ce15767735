import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { asEngineError, DevToolsCallError, PageTarget } from '../devtools/devtools-connection.ts'
import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import type { EngineWindow, OpenWindowOptions } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { preparePage } from '../page/host-world.ts'
import { clearSession } from '../page/session-data.ts'
import type { Environment, WindowPlatform } from '../platform/window-platform.ts'
import type { OpenExternal } from '../web-address.ts'
import { type BrowserProcess, browserArguments, prepareProfile, startBrowser } from './browser-process.ts'
import { ChromiumWindow } from './chromium-window.ts'
import { extendUserAgent } from './extra-pages.ts'

/** Options of {@link openChromiumWindow}. */
interface OpenChromiumOptions extends OpenWindowOptions {
  readonly engine: string
  readonly executable: string
  readonly isHeadless: boolean
  readonly platform: WindowPlatform
  readonly environment: Environment
  readonly openExternal: OpenExternal
  /** Longest wait for the browser to show its window, in milliseconds. */
  readonly startTimeoutMs: number
  /** Longest wait for an ending browser to leave the profile, in milliseconds. Default 10,000. */
  readonly profileWaitMs?: number
}

/** Pause between two attempts to use the profile, in milliseconds. */
const tryAgainMs = 400

/**
 * Starts the browser, prepares its page and goes to the first address. Waits for a profile that is in use: the browser of a killed
 * wrapper needs a moment to end. After a failure, the browser's processes are gone.
 *
 * @throws {EngineError} when the browser does not start
 * @throws the signal's reason when it is aborted
 */
export async function openChromiumWindow(options: OpenChromiumOptions): Promise<EngineWindow> {
  const { signal, profileWaitMs = 10_000 } = options
  const profileWait = new Deadline(profileWaitMs)
  for (;;) {
    try {
      return await openOnce(options)
    } catch (error) {
      const isInUse = error instanceof EngineError && error.fault === 'profile-in-use'
      if (!isInUse || profileWait.isOver) throw error
      await pause(tryAgainMs, signal)
    }
  }
}

async function openOnce(options: OpenChromiumOptions): Promise<EngineWindow> {
  const { executable, platform, environment, signal, profileFolder, zoom } = options
  signal?.throwIfAborted()
  await prepareProfile({
    profileFolder,
    origins: options.allowedOrigins,
    ...(zoom === undefined ? {} : { zoom }),
  })
  signal?.throwIfAborted()
  const args = browserArguments({ ...options, isPrivileged: platform.isPrivileged() })
  const browser = startBrowser({ executable, args, platform, environment })
  const deadline = new Deadline(options.startTimeoutMs, signal)
  using limit = deadline.limit(() => new EngineError('timeout', 'The browser showed no window in time.'))
  limit.signal.addEventListener('abort', () => browser.kill())
  try {
    const window = await asEngineError(prepareWindow(browser, options))
    signal?.throwIfAborted()
    // The caller adds its listeners after this function has returned.
    setImmediate(() => window.begin())
    return window
  } catch (error) {
    const isForbidden = error instanceof EngineError && error.fault === 'not-available'
    const endedByItself = !signal?.aborted && !isForbidden && (await endsByItself(browser))
    browser.kill()
    await browser.ended
    signal?.throwIfAborted()
    // Not `deadline.isOver`: a timer may fire a moment early.
    if (limit.signal.aborted) throw await whyTooSlow(options)
    throw endedByItself ? browser.describeEnd(profileFolder) : error
  }
}

async function whyTooSlow(options: OpenChromiumOptions): Promise<EngineError> {
  const { executable, environment, platform, startTimeoutMs } = options
  const problem = await platform.drivingProblem(executable, environment)
  if (problem !== undefined) return new EngineError('not-available', problem)
  return new EngineError(
    'timeout',
    `The browser showed no window within ${startTimeoutMs} ms. End what is left of its processes and start again. If it goes on, start the browser by itself and see what keeps it.`,
  )
}

async function prepareWindow(browser: BrowserProcess, options: OpenChromiumOptions): Promise<ChromiumWindow> {
  const { connection } = browser
  const { platform } = options
  // The time limit of the whole opening is shorter.
  const timeoutMs = options.startTimeoutMs * 2
  const allowedOrigins = options.allowedOrigins.map(origin => new URL(origin).origin)
  const bindingName = `__host_${randomBytes(8).toString('hex')}`
  const earlyEvents: DevToolsEvent[] = []
  const stopCollecting = connection.onEvent(event => earlyEvents.push(event))
  const answered = Promise.all([
    connection.call('Browser.getVersion', {}, { timeoutMs }),
    connection.call(
      'Target.setAutoAttach',
      {
        autoAttach: true,
        waitForDebuggerOnStart: true,
        flatten: true,
        filter: [{ type: 'page' }, { type: 'service_worker' }],
      },
      { timeoutMs },
    ),
    // Developer tools are reported as type `other` before they are pages.
    connection.call(
      'Target.setDiscoverTargets',
      { discover: true, filter: [{ type: 'page' }, { type: 'other' }] },
      { timeoutMs },
    ),
  ])
  const { targetId, sessionId } = await drivenPage(browser, answered, options)
  const [version] = await answered
  const userAgent = extendUserAgent(version.userAgent, options.userAgentSuffix, platform)
  stopCollecting()
  const window = new ChromiumWindow({
    engine: options.engine,
    browser,
    targetId,
    sessionId,
    url: options.url,
    bindingName,
    allowedOrigins,
    isHeadless: options.isHeadless,
    isDebug: options.isDebug ?? false,
    ...(options.zoom === undefined ? {} : { zoom: options.zoom }),
    userAgent,
    openExternal: options.openExternal,
    earlyEvents,
  })
  const target = new PageTarget(connection, targetId, sessionId)
  // The page waits for the last call, so the others hold for its first document.
  await Promise.all([
    target.call('Emulation.setUserAgentOverride', userAgent, { timeoutMs }),
    preparePage(target, {
      bindingName,
      allowedOrigins,
      pageScript: options.pageScript,
      asksBeforeUnload: true,
      timeoutMs,
    }),
    target.call('Runtime.runIfWaitingForDebugger', {}, { timeoutMs }),
  ])
  if (options.isSessionForgotten) await clearSession(target)
  return window
}

/** Longest time between the browser's first answers and its page, in milliseconds. A browser that may be driven reports both at once. */
const pageGraceMs = 1000

/**
 * Waits for the page of the window. If a policy forbids programs to drive the browser, it says so, or gives no page.
 *
 * @param answered resolves when the browser has taken the request to attach to its pages
 * @throws {EngineError} `not-available` when a policy forbids it
 */
async function drivenPage(
  browser: BrowserProcess,
  answered: Promise<unknown>,
  { executable, environment, platform }: OpenChromiumOptions,
): Promise<FirstPage> {
  const { connection } = browser
  let targetId: string | undefined
  const stop = connection.onEvent(event => {
    if (event.name !== 'Target.targetCreated' || !isOfWindow(event.facts.targetInfo)) return
    targetId = event.facts.targetInfo.targetId
  })
  const page = firstPage(browser)
  try {
    const sign = await Promise.race([
      page,
      browser.disallowed.then(() => 'disallowed' as const),
      answered.then(() => delay(pageGraceMs, 'no-page' as const, { ref: false })),
    ])
    if (typeof sign !== 'string') return sign
    const problem = await platform.drivingProblem(executable, environment)
    if (problem !== undefined) throw new EngineError('not-available', problem)
    const isForbidden = sign === 'disallowed' || (targetId !== undefined && (await isRefused(targetId)))
    if (isForbidden) throw new EngineError('not-available', unknownPolicy)
    return await page
  } finally {
    stop()
  }

  async function isRefused(id: string): Promise<boolean> {
    try {
      await connection.call('Target.attachToTarget', { targetId: id, flatten: true })
      return false
    } catch (error) {
      if (error instanceof DevToolsCallError) return true
      throw error
    }
  }
}

/** Message for a policy that no file or registry key holds, such as one from the network. */
const unknownPolicy =
  'The browser lets no program drive it. Look in chrome://policy for RemoteDebuggingAllowed, DeveloperToolsAvailability and BrowserSignin: have the administrators allow it, or set SERVICE_BROWSER to the path of another browser.'

interface FirstPage {
  readonly targetId: string
  readonly sessionId: string
}

function isOfWindow({ type, url }: { readonly type: string; readonly url: string }): boolean {
  return type === 'page' && url.startsWith('data:')
}

/** The browser's first page, the one of its window. */
function firstPage(browser: BrowserProcess): Promise<FirstPage> {
  const { promise, resolve, reject } = Promise.withResolvers<FirstPage>()
  const stop = browser.connection.onEvent(event => {
    if (event.name !== 'Target.attachedToTarget' || !isOfWindow(event.facts.targetInfo)) return
    const { sessionId, targetInfo } = event.facts
    stop()
    resolve({ targetId: targetInfo.targetId, sessionId })
  })
  void browser.ended.then(() => reject(new EngineError('gone', 'The browser has ended.')))
  // Avoids an unhandled rejection.
  promise.catch(() => undefined)
  return promise
}

/** Longest wait for a browser to end after its pipes have closed, in milliseconds. */
const endingMs = 5000

/** Whether the browser ends by itself. Its pipes close before that. */
async function endsByItself(browser: BrowserProcess): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => resolve(false), endingMs)
  void browser.ended.then(() => resolve(true))
  const isEnded = await promise
  clearTimeout(timer)
  return isEnded
}
