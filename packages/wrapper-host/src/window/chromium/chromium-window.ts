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
import type { OpenExternal } from '../open-external.ts'
import { asEngineError } from './as-engine-error.ts'
import { startPage } from './browser-arguments.ts'
import type { BrowserProcess } from './browser-process.ts'
import { callPage } from './call-page.ts'
import { CloseGuard } from './close-guard.ts'
import type { DevToolsCallOptions, DevToolsConnection } from './devtools-connection.ts'
import type { DevToolsEvent } from './devtools-protocol.ts'
import { ExtraPages } from './extra-pages.ts'
import { PageDocuments } from './page-documents.ts'
import { closeBindingName, type UserAgent } from './prepare-page.ts'
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
  readonly isHeadless: boolean
  readonly userAgent: UserAgent
  readonly openExternal: OpenExternal
  /** What the browser has told before there was a window object. */
  readonly earlyEvents: readonly DevToolsEvent[]
}

/** Longest wait for the browser to end by itself when it is closed, in milliseconds. */
const closeMs = 5000
/** Longest wait for a server's first answer to a navigation, in milliseconds. */
const navigationMs = 60_000

type Facts<Name extends DevToolsEvent['name']> = Extract<DevToolsEvent, { name: Name }>['facts']

/** The page target of a browser in app mode, as a window. Owns the browser. */
export class ChromiumWindow implements EngineWindow {
  readonly #options: ChromiumWindowOptions
  readonly #connection: DevToolsConnection
  readonly #documents: PageDocuments
  readonly #guard: CloseGuard
  readonly #bounds: WindowBounds
  readonly #extraPages: ExtraPages
  readonly #listeners = new EventListeners<EngineEvents>()
  /** Events of the time in which nobody can have added a listener yet. */
  #held: (() => void)[] | undefined = []
  #isMinimising = false
  #isCrashed = false
  #url = ''
  /** The address that could not be reached, while the browser's own page says so. */
  #unreachableUrl: string | undefined
  /** Whether the start page is over; it is none of the caller's. */
  #hasBegun = false
  #isStartForgotten = false
  #isClosed = false
  #closing: Promise<void> | undefined

  constructor(options: ChromiumWindowOptions) {
    const { browser, targetId } = options
    this.#options = options
    this.#connection = browser.connection
    this.#documents = new PageDocuments(targetId)
    this.#guard = new CloseGuard(targetId)
    this.#bounds = new WindowBounds({ ...options, connection: browser.connection })
    this.#extraPages = new ExtraPages({
      ...options,
      connection: browser.connection,
      mainSessionId: options.sessionId,
    })
    for (const event of options.earlyEvents) this.#take(event)
    browser.connection.onEvent(event => this.#take(event))
    void browser.ended.then(() => this.#end())
  }

  async call(value: JsonValue, options: CallOptions): Promise<unknown> {
    options.signal?.throwIfAborted()
    const document = this.#documents.current
    if (this.#isClosed) throw new PageCallError('closed')
    if (this.#isCrashed) throw new PageCallError('crashed')
    if (!document) throw new PageCallError('navigated')
    if (!this.#options.allowedOrigins.includes(document.origin)) throw new PageCallError('foreign-origin')
    const { sessionId } = this.#options
    return callPage({ connection: this.#connection, sessionId, document }, value, options)
  }

  async navigate(url: string): Promise<void> {
    if (!isWebAddress(url))
      throw new EngineError('navigation', 'Only http and https addresses can be opened.')
    const navigation = this.#callTarget('Page.navigate', { url }, { timeoutMs: navigationMs })
    const { errorText } = await asEngineError(navigation)
    // A navigation that a newer one replaces is no failure.
    if (errorText && errorText !== 'net::ERR_ABORTED')
      throw new EngineError('navigation', `The address could not be opened: ${errorText}.`)
  }

  async reload(): Promise<void> {
    await asEngineError(this.#callTarget('Page.reload'))
  }

  async post(): Promise<{ readonly status: number }> {
    throw notYet()
  }

  async ping(): Promise<void> {
    throw notYet()
  }

  async restartPage(): Promise<void> {
    throw notYet()
  }

  async canReach(): Promise<boolean> {
    return false
  }

  async showOwnPage(): Promise<void> {
    throw notYet()
  }

  async setNotice(): Promise<void> {
    throw notYet()
  }

  async clearSession(): Promise<void> {
    throw notYet()
  }

  async minimise(): Promise<void> {
    await asEngineError(this.#bounds.minimise())
  }

  async show(): Promise<void> {
    await asEngineError(this.#bounds.show())
  }

  async windowState(): Promise<WindowState> {
    if (this.#isClosed) return 'closed'
    try {
      return await asEngineError(this.#bounds.state())
    } catch (error) {
      if (this.#isClosed || this.#closing) return 'closed'
      throw error
    }
  }

  setMinimiseOnClose(isMinimising: boolean): void {
    this.#isMinimising = isMinimising
  }

  async saveSession(): Promise<SessionSnapshot> {
    return { engine: this.#options.engine, data: await asEngineError(saveCookies(this.#connection)) }
  }

  async restoreSession(session: SessionSnapshot): Promise<void> {
    if (session.engine !== this.#options.engine)
      throw new EngineError('not-available', 'The session was saved by another engine.')
    await asEngineError(restoreCookies(this.#connection, session.data))
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

  /** Begins to go to the first address. That it cannot be reached is told by `loadFailed`, as for any other. */
  begin(url: string): void {
    this.#callTarget('Page.navigate', { url }, { timeoutMs: navigationMs }).catch(() => undefined)
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
    this.#emit('closed', { isLost: false })
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
    this.#extraPages.take(event)
    if (event.name === 'Target.detachedFromTarget') {
      if (event.facts.sessionId === this.#options.sessionId) void this.close()
      return
    }
    if (event.sessionId !== this.#options.sessionId) return
    this.#guard.apply(event)
    if (this.#documents.apply(event) && this.#hasBegun) this.#emit('unloading', {})
    switch (event.name) {
      case 'Runtime.executionContextCreated':
        this.#isCrashed = false
        if (this.#documents.find(event.facts.context.id)) this.#markUsed()
        break
      case 'Runtime.bindingCalled':
        this.#takeMessage(event.facts)
        break
      case 'Page.domContentEventFired':
        this.#markUsed()
        if (this.#unreachableUrl !== undefined) void this.#reportLoadFailure(this.#unreachableUrl)
        break
      case 'Page.frameNavigated':
        this.#takeNavigation(event.facts.frame)
        break
      case 'Page.loadEventFired':
        if (this.#hasBegun) this.#forgetStartPage()
        if (this.#hasBegun && this.#unreachableUrl === undefined) this.#emit('loaded', { url: this.#url })
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

  /** A document may only ask before it goes away once the user has used it. */
  #markUsed(): void {
    this.#callTarget('Runtime.evaluate', { expression: '1', userGesture: true }).catch(() => undefined)
  }

  #takeNavigation({ parentId, url, unreachableUrl }: Facts<'Page.frameNavigated'>['frame']): void {
    if (parentId !== undefined || url === startPage) return
    this.#url = url
    this.#unreachableUrl = unreachableUrl
    this.#hasBegun = true
  }

  /** The start page is none to go back to. */
  #forgetStartPage(): void {
    if (this.#isStartForgotten) return
    this.#isStartForgotten = true
    this.#callTarget('Page.resetNavigationHistory').catch(() => undefined)
  }

  async #reportLoadFailure(url: string): Promise<void> {
    const { result } = await this.#callTarget('Runtime.evaluate', {
      expression: 'loadTimeDataRaw.errorCode',
    }).catch(() => ({ result: { value: '' } }))
    const code = /^[A-Z_]{1,64}$/.exec(String(result.value))?.[0]
    this.#emit('loadFailed', { url, reason: `The address cannot be reached${code ? ` (${code})` : ''}.` })
  }

  #takeMessage({ name, payload, executionContextId }: Facts<'Runtime.bindingCalled'>): void {
    if (name === closeBindingName(this.#options.bindingName)) this.#guard.noteObjection()
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

  #answerDialog({ type, hasBrowserHandler }: Facts<'Page.javascriptDialogOpening'>): void {
    if (type !== 'beforeunload') {
      // Without a window nobody can answer, and the page would wait for ever.
      if (this.#options.isHeadless || !hasBrowserHandler) this.#handleDialog(type === 'alert')
      return
    }
    const answer = this.#guard.answer(this.#isMinimising)
    if (answer === 'ask-user' && !this.#options.isHeadless) return
    this.#handleDialog(answer !== 'minimise')
    if (answer !== 'minimise') return
    this.minimise().catch(() => undefined)
    this.#emit('closeVetoed', {})
  }

  #handleDialog(accept: boolean): void {
    this.#callTarget('Page.handleJavaScriptDialog', { accept }).catch(() => undefined)
  }
}

const notYet = () => new EngineError('refused', 'This engine cannot do that.')

function isWebAddress(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
