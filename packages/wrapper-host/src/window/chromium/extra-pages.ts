import type { OpenExternal } from '../open-external.ts'
import type { DevToolsConnection } from './devtools-connection.ts'
import type { DevToolsEvent } from './devtools-protocol.ts'
import type { UserAgent } from './prepare-page.ts'

/** What {@link ExtraPages} keeps to. */
export interface ExtraPagesOptions {
  readonly connection: DevToolsConnection
  /** The session of the window's own page. */
  readonly mainSessionId: string
  /** Origins whose pages stay in a window of their own; others go to the operating system. */
  readonly allowedOrigins: readonly string[]
  readonly userAgent: UserAgent
  readonly openExternal: OpenExternal
}

type Attached = Extract<DevToolsEvent, { name: 'Target.attachedToTarget' }>['facts']
type Paused = Extract<DevToolsEvent, { name: 'Fetch.requestPaused' }>['facts']

/**
 * Watches over the pages that appear beside the window's own. What the web app opens (`window.open`, `target=_blank`) stays
 * when it is of an allowed origin and goes to the user's own browser else. What the user opens with a key, a whole browser
 * window, is closed. Neither gets the page script.
 */
export class ExtraPages {
  readonly #options: ExtraPagesOptions
  /** Sessions of pages whose first address is awaited, with their targets. */
  readonly #undecided = new Map<string, string>()

  constructor(options: ExtraPagesOptions) {
    this.#options = options
  }

  /** Takes an event of the browser. */
  take(event: DevToolsEvent): void {
    if (event.name === 'Target.attachedToTarget') this.#receive(event.facts)
    if (event.name === 'Target.detachedFromTarget') this.#undecided.delete(event.facts.sessionId)
    if (event.name === 'Fetch.requestPaused' && event.sessionId !== undefined)
      this.#decide(event.sessionId, event.facts)
  }

  #receive({ sessionId, targetInfo }: Attached): void {
    const { connection, mainSessionId, userAgent } = this.#options
    const { targetId, type, url, openerId } = targetInfo
    if (sessionId === mainSessionId) return
    if (type === 'service_worker') {
      this.#call(sessionId, 'Network.setUserAgentOverride', userAgent)
    } else if (url.startsWith('devtools://')) {
      // The developer tools of `isDebug`.
    } else if (openerId === undefined) {
      connection.call('Target.closeTarget', { targetId }).catch(() => undefined)
    } else {
      this.#undecided.set(sessionId, targetId)
      this.#call(sessionId, 'Emulation.setUserAgentOverride', userAgent)
      this.#call(sessionId, 'Fetch.enable', { patterns: [{ resourceType: 'Document' }] })
    }
    this.#call(sessionId, 'Runtime.runIfWaitingForDebugger')
  }

  #decide(sessionId: string, { requestId, request, frameId }: Paused): void {
    const targetId = this.#undecided.get(sessionId)
    const isFirst = targetId !== undefined && frameId === targetId
    // What is posted cannot be handed over.
    const stays =
      !isFirst ||
      request.method !== 'GET' ||
      this.#options.allowedOrigins.includes(new URL(request.url).origin)
    if (stays) {
      this.#call(sessionId, 'Fetch.continueRequest', { requestId })
      if (!isFirst) return
      this.#undecided.delete(sessionId)
      this.#call(sessionId, 'Fetch.disable')
      return
    }
    this.#call(sessionId, 'Fetch.failRequest', { requestId, errorReason: 'Aborted' })
    this.#options.connection.call('Target.closeTarget', { targetId }).catch(() => undefined)
    this.#options.openExternal(request.url)
  }

  /** A page may be gone before it is asked; then there is nothing left to be done. */
  #call(sessionId: string, ...[name, params]: Parameters<DevToolsConnection['call']>): void {
    this.#options.connection.call(name, params, { sessionId }).catch(() => undefined)
  }
}
