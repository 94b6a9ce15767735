import { Deadline } from '@service-link/protocol-core/time'
import {
  type CallOptions,
  type Engine,
  EngineError,
  type EngineEvents,
  type EngineWindow,
  EventListeners,
  type FetchedText,
  type FetchTextOptions,
  type JsonValue,
  type OpenWindowOptions,
  type OwnPage,
  PageCallError,
  type PageCallFault,
  type SessionSnapshot,
  type WindowAppearance,
  type WindowNotice,
  type WindowState,
} from '@service-link/window-engine'
import type { HostPort } from '../web-app/page/messages.ts'
import { MemoryDocument, type MemorySession } from './memory-page.ts'

/** A form that was posted in the window, such as the partner link's. */
export interface PostedForm {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
}

interface MemoryWorld {
  /** Whether servers answer. */
  readonly isOnline: boolean
  /** Loads the web app into a document. The function returned unloads it. */
  load(port: HostPort, session: MemorySession): () => void
  /** Answers a posted form with a status. */
  answerPost(post: PostedForm): Promise<number>
}

/**
 * An engine without a screen. Its documents are objects in which the page script runs; the world gives them the web app.
 *
 * @param session the first window's session; in later ones nobody is signed in
 */
export function createMemoryEngine(
  world: MemoryWorld,
  session: MemorySession,
): Engine & { readonly window: MemoryWindow | undefined } {
  let first: MemorySession | undefined = session
  let window: MemoryWindow | undefined
  return {
    name,
    get window() {
      return window
    },
    probe: async () => ({ isAvailable: true, description: 'A web app in memory' }),
    async open(options) {
      options.signal?.throwIfAborted()
      const opened = new MemoryWindow(options, world, first ?? { isSignedIn: false })
      first = undefined
      window = opened
      // The caller adds its listeners after this function has returned.
      setImmediate(() => opened.load(options.url))
      return opened
    },
  }
}

const name = 'Memory'

/** A window in memory. Tests call its methods in place of a user. */
export class MemoryWindow implements EngineWindow {
  readonly session: MemorySession
  readonly #options: OpenWindowOptions
  readonly #world: MemoryWorld
  readonly #listeners = new EventListeners<EngineEvents>()
  readonly #origins: readonly string[]
  readonly #begun = Promise.withResolvers<void>()
  #url: string
  #document: MemoryDocument | undefined
  #endPage: (() => void) | undefined
  #condition: 'well' | 'hung' | 'crashed' = 'well'
  #state: WindowState = 'normal'
  #isHidden = false
  #isMinimising = false
  #ownPage: OwnPage | undefined
  #notice: WindowNotice | undefined

  constructor(options: OpenWindowOptions, world: MemoryWorld, session: MemorySession) {
    this.session = session
    this.#options = options
    this.#world = world
    this.#url = options.url
    this.#origins = options.allowedOrigins.map(origin => new URL(origin).origin)
  }

  /** The wrapper's own page, while it is shown in place of the web app. */
  get ownPage(): OwnPage | undefined {
    return this.#ownPage
  }

  /** The notice above the page. */
  get notice(): WindowNotice | undefined {
    return this.#notice
  }

  /** `closed` after the wrapper's end. */
  get state(): WindowState {
    return this.#state
  }

  /** Whether it is neither on the screen nor in the task bar. */
  get isHidden(): boolean {
    return this.#isHidden
  }

  async call(value: JsonValue, options: CallOptions): Promise<unknown> {
    this.#throwUnlessThere(options)
    const document = this.#document
    if (!document) throw new PageCallError('navigated')
    const answer = this.#condition === 'hung' ? never() : document.call(value)
    return within(answer, options, document.signal)
  }

  async ping(options: CallOptions): Promise<void> {
    this.#throwUnlessThere(options)
    if (this.#condition === 'hung') await within(never(), options, this.#document?.signal)
  }

  async navigate(url: string): Promise<void> {
    this.#throwIfGone()
    checkWebAddress(url)
    this.load(url)
    if (!this.#world.isOnline)
      throw new EngineError('navigation', 'The address could not be opened: there is no network.')
  }

  async post(
    url: string,
    form: Readonly<Record<string, string>>,
    options: CallOptions,
  ): Promise<{ readonly status: number }> {
    this.#throwIfGone()
    if (!this.#world.isOnline)
      throw new EngineError('navigation', 'The address could not be opened: there is no network.')
    const status = await within(this.#world.answerPost({ url, form }), options)
    if (status < 400) {
      this.session.isSignedIn = true
      this.load(this.#options.url)
    }
    return { status }
  }

  /** Loads the page again. */
  async reload(): Promise<void> {
    this.#throwIfGone()
    this.load(this.#url)
  }

  async restartPage({ url = this.#url }: { readonly url?: string } = {}): Promise<void> {
    this.#throwIfGone()
    checkWebAddress(url)
    this.load(url)
  }

  async canReach(): Promise<boolean> {
    return this.#state !== 'closed' && this.#world.isOnline
  }

  async fetchText(url: string, options: FetchTextOptions): Promise<FetchedText> {
    this.#throwIfGone()
    return fetchBeginning(url, options)
  }

  async showOwnPage(page: OwnPage): Promise<void> {
    this.#throwIfGone()
    this.#endDocument('navigated')
    this.#ownPage = page
  }

  async setNotice(notice: WindowNotice | undefined): Promise<void> {
    this.#throwIfGone()
    this.#notice = notice
  }

  async minimise(): Promise<void> {
    this.#throwIfGone()
    this.#state = 'minimised'
    this.#isHidden = false
  }

  async hide(): Promise<void> {
    await this.minimise()
    this.#isHidden = true
  }

  async show(): Promise<void> {
    this.#throwIfGone()
    this.#state = 'normal'
    this.#isHidden = false
  }

  async windowState(): Promise<WindowState> {
    return this.#state
  }

  setMinimiseOnClose(isMinimising: boolean): void {
    this.#isMinimising = isMinimising
  }

  async saveSession(): Promise<SessionSnapshot> {
    this.#throwIfGone()
    return { engine: name, data: { ...this.session } }
  }

  async restoreSession({ engine, data }: SessionSnapshot): Promise<void> {
    this.#throwIfGone()
    if (engine !== name || typeof data !== 'object' || data === null || !('isSignedIn' in data))
      throw new EngineError('not-available', 'The session was saved by another engine.')
    this.session.isSignedIn = data.isSignedIn === true
  }

  async close(): Promise<void> {
    this.#end(false)
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  on<Name extends keyof EngineEvents>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Settles when the first address was loaded or not reached, or the window is closed. */
  get begun(): Promise<void> {
    return this.#begun.promise
  }

  /** Loads an address. The outcome is an event. */
  load(url: string): void {
    if (this.#state === 'closed') return
    this.#endDocument('navigated')
    this.#url = url
    this.#condition = 'well'
    this.#ownPage = undefined
    if (!this.#world.isOnline) {
      this.#listeners.emit('loadFailed', { url, reason: 'The address cannot be reached (offline).' })
    } else {
      const { origin } = new URL(url)
      const document = new MemoryDocument({
        ...(this.#origins.includes(origin) ? { pageScript: this.#options.pageScript } : {}),
        receive: value => this.#listeners.emit('message', { value, origin }),
      })
      this.#document = document
      if (document.port) this.#endPage = this.#world.load(document.port, this.session)
      this.#listeners.emit('loaded', { url })
    }
    this.#begun.resolve()
  }

  crash(): void {
    this.#throwIfGone()
    this.#condition = 'crashed'
    this.#endDocument('crashed')
    this.#listeners.emit('pageCrashed', {})
  }

  /** Lets the page's thread hang. */
  hang(): void {
    this.#throwIfGone()
    this.#condition = 'hung'
  }

  /** Ends the engine's processes, as from outside. */
  lose(): void {
    this.#end(true)
  }

  /** Closes the window as its user does. While somebody is signed in it is minimized; else the wrapper exits. */
  closeByUser(): void {
    this.#throwIfGone()
    const { isKiosk = false } = this.#options
    if (!this.#isMinimising && !isKiosk) {
      this.#end(false)
      return
    }
    if (!isKiosk) this.#state = 'minimised'
    this.#listeners.emit('closeVetoed', {})
  }

  /** Moves the window or changes the zoom, as its user does. */
  changeAppearance(appearance: WindowAppearance): void {
    this.#throwIfGone()
    this.#listeners.emit('appearanceChanged', appearance)
  }

  /**
   * Presses a button of the wrapper's own page.
   *
   * @throws {RangeError} when no button has this action
   */
  pressButton(action: string): void {
    if (!this.#ownPage?.buttons.some(button => button.action === action))
      throw new RangeError(`There is no button with the action ${action}.`)
    this.#listeners.emit('ownPageAction', { action })
  }

  /**
   * Follows or dismisses the notice.
   *
   * @throws {RangeError} when there is none
   */
  pressNotice(action: 'follow' | 'dismiss'): void {
    if (!this.#notice || (action === 'follow' && this.#notice.followLabel === undefined))
      throw new RangeError(`There is no notice to ${action}.`)
    this.#notice = undefined
    this.#listeners.emit('noticeAction', { action })
  }

  #endDocument(fault: PageCallFault): void {
    const document = this.#document
    this.#document = undefined
    this.#endPage?.()
    this.#endPage = undefined
    document?.end(fault)
    if (document) this.#listeners.emit('unloading', {})
  }

  #end(isLost: boolean): void {
    if (this.#state === 'closed') return
    this.#endDocument('closed')
    this.#ownPage = undefined
    this.#state = 'closed'
    this.#begun.resolve()
    this.#listeners.emit('closed', { isLost })
    this.#listeners.clear()
  }

  /** For calls of the page. */
  #throwUnlessThere({ signal }: CallOptions): void {
    signal?.throwIfAborted()
    if (this.#state === 'closed') throw new PageCallError('closed')
    if (this.#condition === 'crashed') throw new PageCallError('crashed')
  }

  #throwIfGone(): void {
    if (this.#state === 'closed') throw new EngineError('gone', 'The window is closed.')
  }
}

const never = () => new Promise<never>(() => undefined)

async function within<Value>(
  work: Promise<Value>,
  { timeoutMs, signal }: CallOptions,
  ended?: AbortSignal,
): Promise<Value> {
  const signals = [signal, ended].filter(given => given !== undefined)
  const deadline = new Deadline(timeoutMs, AbortSignal.any(signals))
  return await deadline.waitFor(work, () => new PageCallError('timeout'))
}

function checkWebAddress(url: string): void {
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new EngineError('navigation', 'Only http and https addresses can be opened.')
}

/** Gets the beginning of a text by Node's network, where there is no browser's. */
export async function fetchBeginning(
  url: string,
  { maxBytes, timeoutMs, signal }: FetchTextOptions,
): Promise<FetchedText> {
  using limit = new Deadline(timeoutMs, signal).limit(
    () => new EngineError('timeout', 'The address did not answer in time.'),
  )
  try {
    const { status, headers, body } = await fetch(url, { redirect: 'manual', signal: limit.signal })
    let bytes = Buffer.alloc(0)
    for await (const chunk of body ?? []) {
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length >= maxBytes) break
    }
    const text = status === 200 ? bytes.toString('utf8', 0, maxBytes) : ''
    return { status, location: headers.get('location') ?? undefined, text }
  } catch {
    limit.signal.throwIfAborted()
    throw new EngineError('navigation', 'The address could not be reached.')
  }
}
