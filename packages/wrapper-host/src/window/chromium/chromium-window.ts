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
import type { BrowserProcess } from './browser-process.ts'
import { CloseGuard } from './close-guard.ts'
import {
  DevToolsCallError,
  type DevToolsCallOptions,
  type DevToolsConnection,
} from './devtools-connection.ts'
import type { DevToolsEvent } from './devtools-protocol.ts'
import { callFunction } from './injected-script.ts'
import { PageDocuments } from './page-documents.ts'
import { restoreCookies, saveCookies } from './session-cookies.ts'
import { WindowBounds } from './window-bounds.ts'

/** What a {@link ChromiumWindow} is the window of. */
export interface ChromiumWindowOptions {
  readonly engine: string
  readonly browser: BrowserProcess
  readonly targetId: string
  readonly sessionId: string
  readonly bindingName: string
  readonly allowedOrigins: readonly string[]
}

/** Longest wait for the browser to end by itself when it is closed, in milliseconds. */
const closeMs = 5000
/** Longest wait for a server's first answer to a navigation, in milliseconds. */
const navigationMs = 60_000
/** Longest answer of a page, in UTF-16 code units. */
const maxAnswerLength = 16 * 1024 * 1024

/** The page target of a browser in app mode, as a window. Owns the browser. */
export class ChromiumWindow implements EngineWindow {
  readonly #options: ChromiumWindowOptions
  readonly #connection: DevToolsConnection
  readonly #documents: PageDocuments
  readonly #guard: CloseGuard
  readonly #bounds: WindowBounds
  readonly #listeners = new EventListeners<EngineEvents>()
  /** Events of the time in which nobody can have added a listener yet. */
  #held: (() => void)[] | undefined = []
  #isMinimising = false
  #isCrashed = false
  #isClosed = false
  #closing: Promise<void> | undefined

  constructor(options: ChromiumWindowOptions) {
    const { browser, targetId } = options
    this.#options = options
    this.#connection = browser.connection
    this.#documents = new PageDocuments(targetId)
    this.#guard = new CloseGuard(targetId)
    this.#bounds = new WindowBounds(browser.connection, options)
    browser.connection.onEvent(event => this.#take(event))
    void browser.ended.then(() => this.#end())
  }

  async call(value: JsonValue, { timeoutMs, signal }: CallOptions): Promise<unknown> {
    signal?.throwIfAborted()
    const document = this.#documents.current
    if (this.#isClosed) throw new PageCallError('closed')
    if (this.#isCrashed) throw new PageCallError('crashed')
    if (!document) throw new PageCallError('navigated')
    if (!this.#options.allowedOrigins.includes(document.origin)) throw new PageCallError('foreign-origin')
    const signals = signal ? AbortSignal.any([signal, document.signal]) : document.signal
    try {
      const { result, exceptionDetails } = await this.#callTarget(
        'Runtime.callFunctionOn',
        {
          functionDeclaration: callFunction,
          uniqueContextId: document.uniqueContextId,
          arguments: [{ value }, { value: maxAnswerLength }],
          awaitPromise: true,
          returnByValue: true,
        },
        { timeoutMs, signal: signals },
      )
      if (exceptionDetails || typeof result.value !== 'string') throw new PageCallError('rejected')
      return readAnswer(result.value)
    } catch (error) {
      signal?.throwIfAborted()
      throw describeCallFailure(error, document.signal)
    }
  }

  async navigate(url: string): Promise<void> {
    if (!isWebAddress(url))
      throw new EngineError('navigation', 'Only http and https addresses can be opened.')
    const { errorText } = await this.#callTarget('Page.navigate', { url }, { timeoutMs: navigationMs })
    // A navigation that a newer one replaces is no failure.
    if (errorText && errorText !== 'net::ERR_ABORTED')
      throw new EngineError('navigation', `The address could not be opened: ${errorText}.`)
  }

  async reload(): Promise<void> {
    await this.#callTarget('Page.reload')
  }

  async minimise(): Promise<void> {
    await this.#bounds.minimise()
  }

  async show(): Promise<void> {
    await this.#bounds.show()
  }

  async windowState(): Promise<WindowState> {
    if (this.#isClosed) return 'closed'
    try {
      return await this.#bounds.state()
    } catch (error) {
      if (this.#isClosed || this.#closing) return 'closed'
      throw error
    }
  }

  setMinimiseOnClose(isMinimising: boolean): void {
    this.#isMinimising = isMinimising
  }

  async saveSession(): Promise<SessionSnapshot> {
    return { engine: this.#options.engine, data: await saveCookies(this.#connection) }
  }

  async restoreSession(session: SessionSnapshot): Promise<void> {
    if (session.engine !== this.#options.engine)
      throw new EngineError('not-available', 'The session was saved by another engine.')
    await restoreCookies(this.#connection, session.data)
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  on<Name extends keyof EngineEvents>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Goes to the first address. That it cannot be reached is told by `loadFailed`, as for any other. */
  async begin(url: string): Promise<void> {
    if (!isWebAddress(url))
      throw new EngineError('navigation', 'Only http and https addresses can be opened.')
    await this.#callTarget('Page.navigate', { url }, { timeoutMs: navigationMs })
    // The start page is none to go back to.
    await this.#callTarget('Page.resetNavigationHistory').catch(() => undefined)
  }

  /** Delivers the events that were held back, and from now on each at once. */
  release(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const deliver of held) deliver()
  }

  async #close(): Promise<void> {
    const { browser } = this.#options
    const timer = setTimeout(() => browser.kill(), closeMs)
    this.#connection.call('Browser.close').catch(() => undefined)
    await browser.ended
    clearTimeout(timer)
  }

  #end(): void {
    this.#isClosed = true
    this.#documents.end('closed')
    this.#emit('closed', {})
  }

  #emit<Name extends keyof EngineEvents>(name: Name, event: EngineEvents[Name]): void {
    if (this.#held) this.#held.push(() => this.#listeners.emit(name, event))
    else this.#listeners.emit(name, event)
  }

  #callTarget<Name extends Parameters<DevToolsConnection['call']>[0]>(
    name: Name,
    params: { readonly [name: string]: JsonValue } = {},
    options: Omit<DevToolsCallOptions, 'sessionId'> = {},
  ) {
    return this.#connection.call(name, params, { ...options, sessionId: this.#options.sessionId })
  }

  #take(event: DevToolsEvent): void {
    if (event.name === 'Target.detachedFromTarget') {
      if (event.facts.sessionId === this.#options.sessionId) void this.close()
      return
    }
    if (event.sessionId !== this.#options.sessionId) return
    this.#guard.apply(event)
    if (this.#documents.apply(event)) this.#emit('unloading', {})
    switch (event.name) {
      case 'Runtime.executionContextCreated':
        this.#isCrashed = false
        break
      case 'Runtime.bindingCalled':
        this.#takeMessage(event.facts)
        break
      case 'Page.domContentEventFired':
        // A document may only ask before it goes away once it has been used.
        this.#callTarget('Runtime.evaluate', { expression: '1', userGesture: true }).catch(() => undefined)
        break
      case 'Page.frameNavigated':
        this.#takeNavigation(event.facts.frame)
        break
      case 'Page.loadEventFired':
        if (this.#documents.current) this.#emit('loaded', { url: this.#url })
        break
      case 'Page.javascriptDialogOpening':
        this.#answerDialog(event.facts)
        break
      case 'Inspector.targetCrashed':
        this.#isCrashed = true
        if (this.#documents.end('crashed')) this.#emit('unloading', {})
        this.#emit('pageCrashed', {})
        break
      default:
    }
  }

  #url = ''

  #takeNavigation(frame: {
    readonly parentId?: string | undefined
    readonly url: string
    readonly unreachableUrl?: string | undefined
  }): void {
    if (frame.parentId !== undefined) return
    this.#url = frame.url
    if (frame.unreachableUrl !== undefined)
      this.#emit('loadFailed', { url: frame.unreachableUrl, reason: 'The address cannot be reached.' })
  }

  #takeMessage({
    name,
    payload,
    executionContextId,
  }: {
    readonly name: string
    readonly payload: string
    readonly executionContextId: number
  }): void {
    const document = this.#documents.find(executionContextId)
    if (name !== this.#options.bindingName || !document) return
    if (!this.#options.allowedOrigins.includes(document.origin)) return
    let value: unknown
    try {
      value = JSON.parse(payload)
    } catch {
      return
    }
    this.#emit('message', { value, origin: document.origin })
  }

  #answerDialog({
    type,
    hasBrowserHandler,
  }: {
    readonly type: string
    readonly hasBrowserHandler: boolean
  }): void {
    if (type !== 'beforeunload') {
      // Without a window nobody can answer, and the page would wait for ever.
      if (!hasBrowserHandler) this.#handleDialog(type === 'alert')
      return
    }
    const answer = this.#guard.answer(this.#isMinimising)
    this.#handleDialog(answer === 'let-go')
    if (answer === 'let-go') return
    this.minimise().catch(() => undefined)
    this.#emit('closeVetoed', {})
  }

  #handleDialog(accept: boolean): void {
    this.#callTarget('Page.handleJavaScriptDialog', { accept }).catch(() => undefined)
  }
}

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

function readAnswer(text: string): unknown {
  if (text === '') return undefined
  if (text.startsWith('=')) return JSON.parse(text.slice(1))
  throw new PageCallError(text === 'no-listener' || text === 'too-large' ? text : 'rejected')
}

function describeCallFailure(error: unknown, documentSignal: AbortSignal): unknown {
  if (documentSignal.aborted) return documentSignal.reason
  if (error instanceof DevToolsCallError) return new PageCallError('navigated')
  if (error instanceof EngineError) return new PageCallError(error.fault === 'timeout' ? 'timeout' : 'closed')
  return error
}
