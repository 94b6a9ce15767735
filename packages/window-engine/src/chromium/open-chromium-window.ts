import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { Deadline } from '@service-link/protocol-core/time'
import { asEngineError, DevToolsCallError, PageTarget } from '../devtools/devtools-connection.ts'
import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import type { EngineWindow, OpenWindowOptions } from '../engine.ts'
import { EngineError } from '../engine-error.ts'
import { preparePage } from '../page/host-world.ts'
import { ownAddress, startPage } from '../page/own-content.ts'
import type { PageStart } from '../page/page-loads.ts'
import type { PolicySign } from '../platform/policies.ts'
import type { Environment, WindowPlatform } from '../platform/window-platform.ts'
import { checkWebAddress, type OpenExternal } from '../web-address.ts'
import { BrowserProcess, browserArguments, isWithoutWindows, startAddress } from './browser-process.ts'
import { makeProfile, removeProfile } from './browser-profile.ts'
import { ChromiumWindow } from './chromium-window.ts'
import { extendUserAgent } from './extra-pages.ts'
import { tryPage } from './try-page.ts'

interface OpenChromiumOptions extends OpenWindowOptions {
  readonly engine: string
  readonly executable: string
  readonly isHeadless: boolean
  readonly platform: WindowPlatform
  readonly environment: Environment
  readonly openExternal: OpenExternal
  /** Longest wait for the browser to show its window, in milliseconds. */
  readonly startTimeoutMs: number
}

/**
 * Starts the browser on a new profile, prepares its page and goes to the first address. After a failure, the browser's processes
 * and its profile are gone.
 */
export async function openChromiumWindow(options: OpenChromiumOptions): Promise<EngineWindow> {
  const { signal } = options
  signal?.throwIfAborted()
  checkWebAddress(options.url)
  const start = startAddress(options.url)
  const profile = await makeProfile({ ...options, origins: options.allowedOrigins })
  let browser: BrowserProcess
  try {
    signal?.throwIfAborted()
    const args = browserArguments({
      ...options,
      start,
      profile,
      isPrivileged: options.platform.isPrivileged(),
    })
    browser = new BrowserProcess({ ...options, profile, args })
  } catch (error) {
    await removeProfile(profile)
    throw error
  }
  const deadline = new Deadline(options.startTimeoutMs, signal)
  using limit = deadline.limit(() => browser.describeDelay(tooSlow))
  limit.signal.addEventListener('abort', () => browser.kill())
  try {
    const window = await asEngineError(prepareWindow(browser, { ...options, profile, start }))
    signal?.throwIfAborted()
    // The caller adds its listeners after this function has returned.
    setImmediate(() => window.begin())
    return window
  } catch (error) {
    const isForbidden = error instanceof BrowserForbidden
    const endedByItself = !signal?.aborted && !isForbidden && (await endsByItself(browser))
    browser.kill()
    await browser.ended
    signal?.throwIfAborted()
    // A browser that ends at once may say why a moment later.
    if (!isForbidden && browser.policySign !== undefined) throw new BrowserForbidden(browser.policySign)
    // Not `deadline.isOver`: a timer may fire a moment early.
    if (limit.signal.aborted) throw limit.signal.reason
    throw endedByItself ? browser.describeEnd() : error
  }
}

const tooSlow =
  'The browser showed no window in time. End what is left of its processes and start again. If it goes on, look in chrome://policy for policies that forbid it, or have another browser installed.'

const attached = {
  autoAttach: true,
  waitForDebuggerOnStart: true,
  flatten: true,
  filter: [{ type: 'page' }, { type: 'service_worker' }],
}
// Developer tools are reported as type `other` before they are pages; a sign-in to the browser is of the other type.
const discovered = { discover: true, filter: [{ type: 'page' }, { type: 'other' }, { type: 'browser_ui' }] }

async function prepareWindow(
  browser: BrowserProcess,
  options: OpenChromiumOptions & CheckPermissionOptions,
): Promise<ChromiumWindow> {
  const { connection } = browser
  // The time limit of the whole opening is shorter.
  const timeoutMs = options.startTimeoutMs * 2
  const allowedOrigins = options.allowedOrigins.map(origin => new URL(origin).origin)
  const bindingName = `__host_${randomBytes(8).toString('hex')}`
  const earlyEvents: DevToolsEvent[] = []
  const stopCollecting = connection.onEvent(event => earlyEvents.push(event))
  const answered = Promise.all([
    connection.call('Browser.getVersion', {}, { timeoutMs }),
    connection.call('Target.setAutoAttach', attached, { timeoutMs }),
    connection.call('Target.setDiscoverTargets', discovered, { timeoutMs }),
  ])
  const disallowed = browser.disallowed.then(refuse)
  const first = Promise.race([firstPage(browser, options.start, answered), disallowed])
  const started = first.then(async page => {
    if (!isWithoutWindows(options.executable)) await checkPermission(page, options)
    return openStartPage(page, options.start, { ...options, timeoutMs })
  })
  using watch = watchRefusal(first)
  const ready = Promise.all([first, started, answered])
  const [page, start, [version]] = await watch.during(ready)
  const userAgent = extendUserAgent(version.userAgent, options.userAgentSuffix, options.platform)
  stopCollecting()
  const parts = {
    ...{ browser, page, start, bindingName, allowedOrigins, userAgent },
    // Those of the page itself are of documents before the window's.
    earlyEvents: earlyEvents.filter(({ sessionId }) => sessionId !== page.sessionId),
  }
  const window = new ChromiumWindow({ ...options, ...parts })
  const prepared = Promise.all([
    page.call('Emulation.setUserAgentOverride', userAgent, { timeoutMs }),
    preparePage(page, { ...options, bindingName, allowedOrigins, timeoutMs }),
  ])
  await watch.during(prepared)
  return window
}

interface StartPageOptions extends Pick<OpenWindowOptions, 'look'> {
  readonly timeoutMs: number
}

/** Opens the start page at once, so that the user does not see the first address fail. */
async function openStartPage(
  page: PageTarget,
  address: string,
  { look, timeoutMs }: StartPageOptions,
): Promise<PageStart> {
  const opening = page.call('Page.navigate', { url: ownAddress }, { timeoutMs })
  page.tell('Runtime.runIfWaitingForDebugger')
  const { loaderId } = await opening
  await page.call('Runtime.evaluate', { expression: startPage(look) }, { timeoutMs })
  return { address, loaderId }
}

/** A policy keeps a browser from showing the web app. */
export class BrowserForbidden extends Error {
  readonly sign: PolicySign

  constructor(sign: PolicySign) {
    super(sign)
    this.sign = sign
  }
}

function refuse(sign: PolicySign): never {
  throw new BrowserForbidden(sign)
}

interface CheckPermissionOptions extends Pick<OpenWindowOptions, 'url' | 'look'> {
  readonly profile: string
  readonly start: string
}

/** @throws {BrowserForbidden} when the browser does not take its profile, or does not show the web app as it is */
async function checkPermission(page: PageTarget, options: CheckPermissionOptions): Promise<void> {
  if (!(await holdsProfile(options.profile))) refuse('other-profile')
  const sign = await tryPage(page, options)
  if (sign !== undefined) refuse(sign)
}

/** Addresses of the browser's own windows in which its user has to sign in to it first. */
const signInAddress =
  /^(chrome|edge):\/\/(profile-picker|signin|force-signin|sync-confirmation|chrome-signin)/

/** Whether a policy is why the browser does not let a page be attached to. */
const isRefusal = (error: unknown) => error instanceof DevToolsCallError && /not allowed/i.test(error.message)

/**
 * The browser's first page, the one of its window.
 *
 * @param answered resolves when the browser has reported its pages, and those that it attaches to by itself
 * @throws {BrowserForbidden} when the browser shows a sign-in in its place, or refuses to have it attached to
 */
function firstPage(
  browser: BrowserProcess,
  address: string,
  answered: Promise<unknown>,
): Promise<PageTarget> {
  const { promise, resolve, reject } = Promise.withResolvers<PageTarget>()
  const { connection } = browser
  const { host } = new URL(address)
  const attach = async (targetId: string) => {
    await answered
    if (!isAttached) await connection.call('Target.attachToTarget', { targetId, flatten: true })
  }
  let isAttached = false
  const stop = connection.onEvent(event => {
    if (event.name === 'Target.targetCreated') {
      const { targetId, type, url } = event.facts.targetInfo
      if (signInAddress.test(url)) reject(new BrowserForbidden('sign-in'))
      if (type !== 'page') return
      attach(targetId).catch(error => {
        if (isRefusal(error)) reject(new BrowserForbidden('no-tools'))
      })
    }
    if (event.name !== 'Target.attachedToTarget') return
    const { sessionId, targetInfo } = event.facts
    if (targetInfo.type !== 'page' || URL.parse(targetInfo.url)?.host !== host) return
    isAttached = true
    resolve(new PageTarget(connection, targetInfo.targetId, sessionId))
  })
  void browser.ended.then(() => reject(new EngineError('gone', 'The browser has ended.')))
  return promise.finally(stop)
}

interface RefusalWatch extends Disposable {
  /**
   * Waits for work on the page. Calls on the way to a page that the browser lets go of fail before it is known why.
   *
   * @throws {BrowserForbidden} when a policy is the reason
   */
  during<Result>(work: Promise<Result>): Promise<Result>
}

/** Watches whether the browser lets go of a page that its user has not closed: policies hold for each address that it comes to. */
function watchRefusal(first: Promise<PageTarget>): RefusalWatch {
  const { promise: refused, reject } = Promise.withResolvers<never>()
  refused.catch(() => undefined)
  let judged = Promise.resolve()
  const watching = first.then(({ connection, targetId, sessionId }) =>
    connection.onEvent(({ name, facts }) => {
      if (name !== 'Target.detachedFromTarget' || facts.sessionId !== sessionId) return
      const refuse = () => reject(new BrowserForbidden('no-tools'))
      judged = connection
        .call('Target.attachToTarget', { targetId, flatten: true })
        .then(refuse, error => void (isRefusal(error) && refuse()))
    }),
  )
  watching.catch(() => undefined)
  return {
    async during(work) {
      try {
        return await Promise.race([work, refused])
      } catch (error) {
        await judged
        return Promise.race([refused, Promise.reject(error)])
      }
    },
    [Symbol.dispose]: () =>
      void watching.then(
        stop => stop(),
        () => undefined,
      ),
  }
}

/** Whether the browser has its data in the profile's folder: it locks that folder before it shows a page. */
async function holdsProfile(profile: string): Promise<boolean> {
  return (await readdir(profile)).some(name => /^(Singleton|lockfile$|Local State$)/.test(name))
}

/** Longest wait for a browser to end after its pipes have closed, in milliseconds. */
const endingMs = 5000

/** Whether the browser ends by itself. Its pipes close before that. */
function endsByItself(browser: BrowserProcess): Promise<boolean> {
  return Promise.race([browser.ended.then(() => true), delay(endingMs, false, { ref: false })])
}
