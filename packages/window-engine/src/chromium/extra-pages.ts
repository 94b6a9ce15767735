import { type DevToolsConnection, PageTarget } from '../devtools/devtools-connection.ts'
import type { DevToolsEvent } from '../devtools/devtools-protocol.ts'
import type { CallOptions, JsonValue } from '../engine.ts'
import { downStatuses } from '../page/host-world.ts'
import type { WindowPlatform } from '../platform/window-platform.ts'
import type { OpenExternal } from '../web-address.ts'

/** What every target of the browser is told before its first line runs. */
export type UserAgent = {
  readonly userAgent: string
  /** Client hints: brands and versions stay the browser's own, the rest cannot be left out. */
  readonly userAgentMetadata: { readonly [name: string]: JsonValue }
}

/** The browser's user agent with the suffix. */
export function extendUserAgent(ownUserAgent: string, suffix: string, platform: WindowPlatform): UserAgent {
  return {
    userAgent: suffix ? `${ownUserAgent} ${suffix}` : ownUserAgent,
    userAgentMetadata: {
      ...platform.hints(),
      architecture: process.arch.startsWith('arm') ? 'arm' : 'x86',
      bitness: process.arch.endsWith('64') ? '64' : '32',
      model: '',
      mobile: false,
    },
  }
}

const toolsScheme = 'devtools://'

interface ExtraPagesOptions {
  readonly connection: DevToolsConnection
  /** The session of the window's own page. */
  readonly mainSessionId: string
  /** Origins whose pages go to the window; others go to the operating system. */
  readonly allowedOrigins: readonly string[]
  readonly userAgent: UserAgent
  /** Whether there may be developer tools. */
  readonly isDebug: boolean
  readonly isHeadless: boolean
  readonly openExternal: OpenExternal
  /** Opens an address of an allowed origin in the window itself. */
  openInWindow(url: string): void
}

type Attached = Extract<DevToolsEvent, { name: 'Target.attachedToTarget' }>['facts']
type Dialog = Extract<DevToolsEvent, { name: 'Page.javascriptDialogOpening' }>['facts']
type Paused = Extract<DevToolsEvent, { name: 'Fetch.requestPaused' }>['facts']

/**
 * Watches over the pages that appear beside the window's own. What the web app opens (`window.open`, `target=_blank`) goes to the
 * window when it is of an allowed origin, and to the user's own browser else. An empty window that the web app fills by
 * itself, to be printed, and one that is posted to stay; they may share the thread of the window's page, which then waits for
 * their dialogs, too. What the user opens with a key, a whole browser window or developer tools, is closed. None gets the page
 * script.
 */
export class ExtraPages {
  readonly #options: ExtraPagesOptions
  /** Sessions of pages whose first address is awaited, with their targets. */
  readonly #undecided = new Map<string, string>()
  /** Sessions of pages that wait for their user in a dialog. */
  readonly #inDialog = new Set<string>()

  constructor(options: ExtraPagesOptions) {
    this.#options = options
  }

  /** Whether one of the pages waits for its user in a dialog. */
  get hasDialog(): boolean {
    return this.#inDialog.size > 0
  }

  /** Takes an event of the browser. */
  take(event: DevToolsEvent): void {
    if (event.name === 'Target.attachedToTarget') this.#receive(event.facts)
    if (event.name === 'Target.targetCreated' || event.name === 'Target.targetInfoChanged')
      this.#closeTools(event.facts.targetInfo)
    if (event.name === 'Target.detachedFromTarget') this.#forget(event.facts.sessionId)
    const { sessionId } = event
    if (sessionId === undefined || sessionId === this.#options.mainSessionId) return
    if (event.name === 'Fetch.requestPaused') this.#decide(sessionId, event.facts)
    if (event.name === 'Page.javascriptDialogOpening') this.#takeDialog(sessionId, event.facts)
    if (event.name === 'Page.javascriptDialogClosed' || event.name === 'Inspector.targetCrashed')
      this.#inDialog.delete(sessionId)
  }

  #receive({ sessionId, targetInfo }: Attached): void {
    const { connection, mainSessionId, userAgent } = this.#options
    const { targetId, type, url, openerId } = targetInfo
    // Others are the window's own affairs, such as a page that nobody sees.
    if (sessionId === mainSessionId || !/^(page|service_worker)$/.test(type)) return
    if (type === 'service_worker') {
      this.#call(sessionId, 'Network.setUserAgentOverride', userAgent)
    } else if (url.startsWith(toolsScheme)) {
      // Told as a target too, which is closed where there are to be none.
    } else if (openerId === undefined) {
      connection.call('Target.closeTarget', { targetId }).catch(() => undefined)
    } else {
      this.#undecided.set(sessionId, targetId)
      this.#call(sessionId, 'Page.enable')
      this.#call(sessionId, 'Emulation.setUserAgentOverride', userAgent)
      this.#call(sessionId, 'Fetch.enable', { patterns: [{ resourceType: 'Document' }] })
    }
    this.#call(sessionId, 'Runtime.runIfWaitingForDebugger')
  }

  #decide(sessionId: string, { requestId, request, frameId }: Paused): void {
    const { allowedOrigins, connection, openExternal, openInWindow } = this.#options
    const targetId = this.#undecided.get(sessionId)
    if (targetId === undefined) return
    const { origin, protocol } = new URL(request.url)
    // What is posted, or only there within the page, cannot be handed over.
    if (frameId !== targetId || request.method !== 'GET' || !/^https?:$/.test(protocol)) {
      this.#call(sessionId, 'Fetch.continueRequest', { requestId })
      if (frameId === targetId) this.#settle(sessionId)
      return
    }
    this.#call(sessionId, 'Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    connection.call('Target.closeTarget', { targetId }).catch(() => undefined)
    if (allowedOrigins.includes(origin)) openInWindow(request.url)
    else openExternal(request.url)
  }

  #takeDialog(sessionId: string, { type, hasBrowserHandler }: Dialog): void {
    this.#inDialog.add(sessionId)
    // Without a window nobody can answer.
    if (this.#options.isHeadless || !hasBrowserHandler)
      this.#call(sessionId, 'Page.handleJavaScriptDialog', { accept: /^(alert|beforeunload)$/.test(type) })
  }

  #forget(sessionId: string): void {
    this.#undecided.delete(sessionId)
    this.#inDialog.delete(sessionId)
  }

  #settle(sessionId: string): void {
    this.#undecided.delete(sessionId)
    this.#call(sessionId, 'Fetch.disable')
  }

  #closeTools({ targetId, url }: Attached['targetInfo']): void {
    if (this.#options.isDebug || !url.startsWith(toolsScheme)) return
    this.#options.connection.call('Target.closeTarget', { targetId }).catch(() => undefined)
  }

  /** A page may be gone before it is asked; then there is nothing left to be done. */
  #call(sessionId: string, ...[name, params]: Parameters<DevToolsConnection['call']>): void {
    this.#options.connection.call(name, params, { sessionId }).catch(() => undefined)
  }
}

/**
 * Whether a server answers at an address: with any status but those of a proxy whose service is down. A page that nobody sees
 * begins to go there, and is closed as soon as the answer begins; so it is the browser's own network that is asked, with its
 * proxies and certificates, and not the page that is shown. Never rejects.
 */
export async function canReachAddress(
  connection: DevToolsConnection,
  url: string,
  userAgent: UserAgent,
  { timeoutMs, signal }: CallOptions,
): Promise<boolean> {
  if (!/^https?:\/\//i.test(url)) return false
  const bounds = { timeoutMs, ...(signal ? { signal } : {}) }
  const opening = connection.call('Target.createTarget', { url: 'about:blank', hidden: true }, bounds)
  let status: number | undefined
  const stops: (() => void)[] = []
  try {
    const { targetId } = await opening
    const { sessionId } = await connection.call('Target.attachToTarget', { targetId, flatten: true }, bounds)
    const page = new PageTarget(connection, targetId, sessionId)
    const { promise: answered, resolve } = Promise.withResolvers<void>()
    stops.push(
      connection.onEvent(event => {
        if (event.name !== 'Fetch.requestPaused' || event.sessionId !== sessionId) return
        status = event.facts.responseStatusCode
        page.tell('Fetch.failRequest', { requestId: event.facts.requestId, errorReason: 'Aborted' })
        resolve()
      }),
    )
    await page.call('Emulation.setUserAgentOverride', userAgent, bounds)
    await page.call('Fetch.enable', { patterns: [{ requestStage: 'Response' }] }, bounds)
    await Promise.race([answered, page.call('Page.navigate', { url }, bounds)])
  } catch {
    // It took too long, was given up, or the browser has ended.
  } finally {
    for (const stop of stops) stop()
    void opening.then(
      ({ targetId }) => connection.call('Target.closeTarget', { targetId }).catch(() => undefined),
      () => undefined,
    )
  }
  return status !== undefined && !downStatuses.includes(status)
}
