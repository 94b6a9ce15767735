import { type ChildProcess, fork } from 'node:child_process'
import {
  type CallOptions,
  type Engine,
  EngineError,
  type EngineEvents,
  type EngineWindow,
  EventListeners,
  type JsonValue,
  type OpenWindowOptions,
  type OwnPage,
  PageCallError,
  type PageCallFault,
  type SessionSnapshot,
  type WindowState,
} from '@service-link/window-engine'

const engineName = 'Own'

/** An engine that draws each page by a process of a program of yours, here `own-page.mjs` beside this file. */
export const ownEngine: Engine = {
  name: engineName,
  // Look here whether the program is installed, and say in `reason` what to do if not.
  probe: async () => ({ isAvailable: true, description: 'Pages without a screen' }),
  async open(options) {
    options.signal?.throwIfAborted()
    return new OwnWindow(options)
  },
}

type PageMessage =
  | { readonly is: 'loaded' | 'failed' }
  | { readonly is: 'message'; readonly json: string }
  | { readonly is: 'answer'; readonly id: number; readonly json?: string; readonly fault?: PageCallFault }

/** One document: a process, the calls that wait for it, and its end. */
class Page {
  readonly origin: string
  readonly #child: ChildProcess
  readonly #ending = new AbortController()
  readonly #calls = new Map<number, (answer: Promise<unknown>) => void>()
  #lastId = 0

  constructor(url: string, pageScript: string, hear: (message: PageMessage) => void, onCrash: () => void) {
    this.origin = new URL(url).origin
    this.#child = fork(new URL('own-page.mjs', import.meta.url), { execArgv: [] })
    this.#child.send({ load: { url, pageScript } }, () => undefined)
    this.#child.on('message', (message: PageMessage) => {
      if (this.#ending.signal.aborted) return
      if (message.is !== 'answer') return hear(message)
      const { id, json, fault } = message
      this.#calls.get(id)?.(
        fault ? Promise.reject(new PageCallError(fault)) : Promise.resolve(json && JSON.parse(json)),
      )
    })
    this.#child.on('exit', () => this.#ending.signal.aborted || onCrash())
  }

  /** Sends a value, or without one asks for a sign of life, and waits for the answer. */
  async ask(value: JsonValue | undefined, options: CallOptions): Promise<unknown> {
    const id = ++this.#lastId
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const end = AbortSignal.any([this.#ending.signal, endOf(options)])
    const isTimeout = () => end.reason instanceof DOMException && end.reason.name === 'TimeoutError'
    end.addEventListener('abort', () => reject(isTimeout() ? new PageCallError('timeout') : end.reason))
    this.#calls.set(id, resolve)
    this.#child.send({ id, value }, () => undefined)
    return await promise.finally(() => this.#calls.delete(id))
  }

  /** Ends the process, also when its thread hangs. Calls that wait fail. */
  async end(fault: PageCallFault): Promise<void> {
    this.#ending.abort(new PageCallError(fault))
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#child.once('exit', () => resolve())
    this.#child.kill('SIGKILL')
    await promise
  }
}

/** Aborts with the bounds of a call. */
const endOf = ({ timeoutMs, signal }: CallOptions) =>
  AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(signal ? [signal] : [])])

class OwnWindow implements EngineWindow {
  readonly #options: OpenWindowOptions
  readonly #origins: readonly string[]
  readonly #listeners = new EventListeners<EngineEvents>()
  #url: string
  #page: Page | undefined
  #isCrashed = false
  #state: WindowState = 'normal'

  constructor(options: OpenWindowOptions) {
    this.#options = options
    this.#origins = options.allowedOrigins.map(origin => new URL(origin).origin)
    this.#url = options.url
    this.#load(options.url)
  }

  async call(value: JsonValue, options: CallOptions): Promise<unknown> {
    const page = this.#standingPage(options)
    if (!page) throw new PageCallError('navigated')
    if (!this.#origins.includes(page.origin)) throw new PageCallError('foreign-origin')
    return await page.ask(value, options)
  }

  async ping(options: CallOptions): Promise<void> {
    await this.#standingPage(options)?.ask(undefined, options)
  }

  async navigate(url: string): Promise<void> {
    this.#throwIfGone()
    if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
      throw new EngineError('navigation', 'Only http and https addresses can be opened.')
    this.#load(url)
  }

  reload(): Promise<void> {
    return this.navigate(this.#url)
  }

  restartPage({ url = this.#url }: { readonly url?: string } = {}): Promise<void> {
    return this.navigate(url)
  }

  async post(url: string, form: Readonly<Record<string, string>>, options: CallOptions) {
    this.#throwIfGone()
    const request = { method: 'POST', body: new URLSearchParams(form), redirect: 'manual' } as const
    const answer = await fetch(url, { ...request, signal: endOf(options) }).catch(() => {
      throw new EngineError('navigation', 'The address could not be opened.')
    })
    if (answer.status < 400) this.#load(new URL(answer.headers.get('location') ?? url, url).href)
    return { status: answer.status }
  }

  async canReach(url: string, options: CallOptions): Promise<boolean> {
    const answer = await fetch(url, { signal: endOf(options) }).catch(() => undefined)
    return this.#state !== 'closed' && answer !== undefined && ![502, 503, 504].includes(answer.status)
  }

  /** Yours draws the page, and tells a press of its buttons by the event `ownPageAction`. */
  async showOwnPage(_page: OwnPage): Promise<void> {
    this.#throwIfGone()
    this.#leave('navigated')
  }

  /** Yours draws the notice above the page, and tells a press by `noticeAction`. */
  async setNotice(): Promise<void> {
    this.#throwIfGone()
  }

  async minimise(): Promise<void> {
    this.#throwIfGone()
    this.#state = 'minimised'
  }

  async show(): Promise<void> {
    this.#throwIfGone()
    this.#state = 'normal'
  }

  windowState = async (): Promise<WindowState> => this.#state

  /** Yours minimizes the window in place of closing it for its user, and tells `closeVetoed`. */
  setMinimiseOnClose(): void {}

  /** Yours saves its cookies here. */
  async saveSession(): Promise<SessionSnapshot> {
    return { engine: engineName, data: null }
  }

  async restoreSession({ engine, data }: SessionSnapshot): Promise<void> {
    if (engine !== engineName || data !== null)
      throw new EngineError('not-available', 'The saved session is of another engine, or damaged.')
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    await this.#leave('closed')
    this.#listeners.emit('closed', { isLost: false })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  on<Name extends keyof EngineEvents>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Gives the window another document. Its events come later: the caller of `open` listens by then. */
  #load(url: string): void {
    this.#leave('navigated')
    this.#url = url
    const { origin } = new URL(url)
    const script = this.#origins.includes(origin) ? this.#options.pageScript : ''
    const hear = (message: PageMessage) => {
      if (message.is === 'message')
        this.#listeners.emit('message', { value: JSON.parse(message.json), origin })
      if (message.is === 'loaded') this.#listeners.emit('loaded', { url })
      if (message.is === 'failed')
        this.#listeners.emit('loadFailed', { url, reason: 'The address cannot be reached.' })
    }
    this.#page = new Page(url, script, hear, () => {
      this.#leave('crashed')
      this.#isCrashed = true
      this.#listeners.emit('pageCrashed', {})
    })
  }

  /** Ends the present document. */
  #leave(fault: PageCallFault): Promise<void> {
    const page = this.#page
    this.#page = undefined
    this.#isCrashed = false
    if (!page) return Promise.resolve()
    this.#listeners.emit('unloading', {})
    return page.end(fault)
  }

  #standingPage({ signal }: CallOptions): Page | undefined {
    signal?.throwIfAborted()
    if (this.#state === 'closed') throw new PageCallError('closed')
    if (this.#isCrashed) throw new PageCallError('crashed')
    return this.#page
  }

  #throwIfGone(): void {
    if (this.#state === 'closed') throw new EngineError('gone', 'The window is closed.')
  }
}
