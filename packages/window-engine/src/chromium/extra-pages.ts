import type { DevToolsConnection } from '../devtools/devtools-connection.ts'
import type { DevToolsEvent, DevToolsFacts } from '../devtools/devtools-protocol.ts'
import type { JsonValue } from '../engine.ts'
import type { WindowPlatform } from '../platform/window-platform.ts'
import { isWebAddress, type OpenExternal } from '../web-address.ts'

/** User agent for all pages and workers of the browser. */
export type UserAgent = {
  readonly userAgent: string
  /** Client hints. The browser adds its brands; the other members are required. */
  readonly userAgentMetadata: { readonly [name: string]: JsonValue }
}

/** The browser's user agent with the suffix. */
export function extendUserAgent(ownUserAgent: string, suffix: string, platform: WindowPlatform): UserAgent {
  return {
    userAgent: suffix ? `${ownUserAgent} ${suffix}` : ownUserAgent,
    userAgentMetadata: {
      platform: platform.name,
      platformVersion: '',
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
  /** DevTools’ session id of the window’s own page. */
  readonly mainSessionId: string
  /** Pages of these origins go to the window, others to the user's browser. */
  readonly allowedOrigins: readonly string[]
  readonly userAgent: UserAgent
  /** Whether a page without an opener is one of the window's own. Browsers without hidden pages report them. */
  isOwnPage(targetId: string): Promise<boolean>
  /** Whether developer tools are allowed. */
  readonly isDebug?: boolean | undefined
  readonly isHeadless: boolean
  readonly openExternal: OpenExternal
  /** Opens an address of an allowed origin in the window itself. */
  openInWindow(url: string): void
}

type Attached = DevToolsFacts<'Target.attachedToTarget'>
type Dialog = DevToolsFacts<'Page.javascriptDialogOpening'>
type Paused = DevToolsFacts<'Fetch.requestPaused'>

/**
 * Watches the pages that open beside the window's own. None gets the page script.
 *
 * - A page that the web app opens (`window.open`, `target=_blank`): one of an allowed origin goes to the window, another to the
 *   user's browser.
 * - An empty page that the web app fills, such as for printing, and one that is posted to: it stays. It may share the thread of the
 *   window's page, which then waits for its dialogs.
 * - A browser window or developer tools that the user opens with a key: closed.
 * - A page of the window's own: it stays.
 */
export class ExtraPages {
  readonly #options: ExtraPagesOptions
  /** Connections to pages without an address so far, with their targets. */
  readonly #undecided = new Map<string, string>()
  /** Connections to pages with an open dialog. */
  readonly #inDialog = new Set<string>()

  constructor(options: ExtraPagesOptions) {
    this.#options = options
  }

  /** Whether one of the pages has an open dialog. */
  get hasDialog(): boolean {
    return this.#inDialog.size > 0
  }

  /** Takes an event of the browser. */
  take(event: DevToolsEvent): void {
    if (event.name === 'Target.attachedToTarget') this.#receive(event.facts)
    if (event.name === 'Target.targetCreated' || event.name === 'Target.targetInfoChanged')
      this.#closeTools(event.facts.targetInfo)
    if (event.name === 'Target.detachedFromTarget') {
      this.#undecided.delete(event.facts.sessionId)
      this.#inDialog.delete(event.facts.sessionId)
    }
    const { sessionId } = event
    if (sessionId === undefined || sessionId === this.#options.mainSessionId) return
    if (event.name === 'Fetch.requestPaused') this.#decide(sessionId, event.facts)
    if (event.name === 'Page.javascriptDialogOpening') this.#answerDialog(sessionId, event.facts)
    if (event.name === 'Page.javascriptDialogClosed' || event.name === 'Inspector.targetCrashed')
      this.#inDialog.delete(sessionId)
  }

  #receive({ sessionId, targetInfo }: Attached): void {
    const { mainSessionId, userAgent } = this.#options
    const { targetId, type, url, openerId } = targetInfo
    // Other types, such as a hidden page, are the window's own.
    if (sessionId === mainSessionId || !/^(page|service_worker)$/.test(type)) return
    if (type === 'service_worker') {
      this.#call(sessionId, 'Network.setUserAgentOverride', userAgent)
    } else if (url.startsWith(toolsScheme)) {
      // `#closeTools` decides.
    } else if (openerId === undefined) {
      void this.#closeUnlessOwn(targetId)
    } else {
      this.#undecided.set(sessionId, targetId)
      this.#call(sessionId, 'Page.enable')
      this.#call(sessionId, 'Emulation.setUserAgentOverride', userAgent)
      this.#call(sessionId, 'Fetch.enable', { patterns: [{ resourceType: 'Document' }] })
    }
    this.#call(sessionId, 'Runtime.runIfWaitingForDebugger')
  }

  #decide(sessionId: string, { requestId, request, frameId }: Paused): void {
    const { allowedOrigins, openExternal, openInWindow } = this.#options
    const targetId = this.#undecided.get(sessionId)
    if (targetId === undefined) return
    // A posted page, and one that is no web address, cannot be handed over.
    if (frameId !== targetId || request.method !== 'GET' || !isWebAddress(request.url)) {
      this.#call(sessionId, 'Fetch.continueRequest', { requestId })
      if (frameId !== targetId) return
      this.#undecided.delete(sessionId)
      this.#call(sessionId, 'Fetch.disable')
      return
    }
    this.#call(sessionId, 'Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    this.#close(targetId)
    if (allowedOrigins.includes(new URL(request.url).origin)) openInWindow(request.url)
    else openExternal(request.url)
  }

  #answerDialog(sessionId: string, { type, hasBrowserHandler }: Dialog): void {
    this.#inDialog.add(sessionId)
    // Without a window no user can answer.
    if (this.#options.isHeadless || !hasBrowserHandler)
      this.#call(sessionId, 'Page.handleJavaScriptDialog', { accept: /^(alert|beforeunload)$/.test(type) })
  }

  #closeTools({ targetId, url }: Attached['targetInfo']): void {
    if (this.#options.isDebug || !url.startsWith(toolsScheme)) return
    this.#close(targetId)
  }

  async #closeUnlessOwn(targetId: string): Promise<void> {
    if (!(await this.#options.isOwnPage(targetId))) this.#close(targetId)
  }

  #close(targetId: string): void {
    this.#options.connection.call('Target.closeTarget', { targetId }).catch(() => undefined)
  }

  /** Calls a page and ignores a refusal: it may be gone. */
  #call(sessionId: string, ...[name, params]: Parameters<DevToolsConnection['call']>): void {
    this.#options.connection.call(name, params, { sessionId }).catch(() => undefined)
  }
}
