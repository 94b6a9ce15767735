import { setTimeout as delay } from 'node:timers/promises'
import {
  DevToolsCallError,
  type DevToolsCallOptions,
  type PageTarget,
} from '../devtools/devtools-connection.ts'
import type { DevToolsEvent, DevToolsFacts } from '../devtools/devtools-protocol.ts'
import type { EngineEvents, OwnPage } from '../engine.ts'
import { withoutFragment } from '../web-address.ts'
import { describeLoadFailure } from './load-failure.ts'
import { ownAddress } from './own-content.ts'

/** Longest wait for the wrapper's own page, in milliseconds. The page before it may leave slowly. */
const ownPageMs = 10_000
/** Number of attempts of a navigation that a slow browser loses or cancels. */
const navigationAttempts = 3

type NavigateOptions = Omit<DevToolsCallOptions, 'sessionId'>

type Emit = <Name extends keyof EngineEvents>(name: Name, event: EngineEvents[Name]) => void

/** The window's first document and what came before it. */
export interface PageStart {
  /** Address with which the browser was started. It leads nowhere. */
  readonly address: string
  /** Loader of the start page, which takes its place. */
  readonly loaderId: string | undefined
}

type Frame = DevToolsFacts<'Page.frameNavigated'>['frame']

/** Follows the content of the main frame: the start page, the web app, the wrapper's own page, or a failure. */
export class PageLoads {
  readonly #page: PageTarget
  readonly #emit: Emit
  readonly #start: PageStart
  #url: string
  #shows: 'start' | 'web' | 'own' = 'start'
  /** The address that could not be reached, while the browser's error page is shown. */
  #unreachableUrl: string | undefined
  /** Whether the server answered that the service is down. */
  #isDown = false
  #isHistoryClean = false
  #ownPage: OwnPage | undefined
  /** Whether {@link showOwnPage} has begun and its page has not come. */
  #isOwnPageAwaited = false
  /** Navigations of the host that wait for a server. */
  #navigations = 0
  /** Number of the host's last navigation. */
  #lastNavigation = 0

  /** @param url first web address of the window */
  constructor(page: PageTarget, start: PageStart, url: string, emit: Emit) {
    this.#page = page
    this.#start = start
    this.#url = url
    this.#emit = emit
  }

  /** The present web address, or the last one before the wrapper's own page. */
  get url(): string {
    return this.#url
  }

  /** Whether the host has begun to go to an address. */
  get hasBegun(): boolean {
    return this.#lastNavigation > 0
  }

  /** Whether the wrapper's own page or the browser's error page is shown. */
  get isOfWrapper(): boolean {
    return this.#shows !== 'web' || this.#unreachableUrl !== undefined
  }

  /** The wrapper's own page, while it is shown. */
  get ownPage(): OwnPage | undefined {
    return this.#shows === 'own' ? this.#ownPage : undefined
  }

  get isNavigating(): boolean {
    return this.#navigations > 0
  }

  /**
   * Goes to an address. A slow browser loses the navigation when another document comes at that moment, and cancels it when the
   * start page, an error page or the wrapper's own page comes or ends its load: it is begun again. Returns why the address
   * could not be opened, as {@link navigate}.
   */
  async goTo(
    url: string,
    options: NavigateOptions,
    mayRepeat: () => boolean = () => true,
  ): Promise<string | undefined> {
    this.#lastNavigation += 1
    this.#navigations += 1
    const number = this.#lastNavigation
    try {
      for (let attempt = 1; ; attempt++) {
        const mayGiveUp = () => number === this.#lastNavigation && attempt < navigationAttempts && mayRepeat()
        const isStart = (frame: Frame) => this.#isStart(frame)
        const errorText = await navigate(this.#page, url, { ...options, mayGiveUp, isStart })
        const isCancelled = errorText === aborted && this.isOfWrapper
        if (!(isCancelled || errorText === overtaken) || !mayGiveUp()) return errorText
        if (errorText !== overtaken) continue
        // Until then, the browser aborts each further navigation.
        await this.#stopLoading()
        // The attempt before was only slow: its document has overtaken this one.
        if (attempt > 1 && this.#url === withoutFragment(url) && !this.isOfWrapper) return undefined
      }
    } finally {
      this.#navigations -= 1
    }
  }

  /** The browser refuses it while another document takes the page's place. */
  async #stopLoading(): Promise<void> {
    try {
      await this.#page.call('Page.stopLoading')
    } catch (error) {
      if (!(error instanceof DevToolsCallError)) throw error
    }
  }

  /** Opens a document for a page of the wrapper. Resolves when it is loaded: a navigation before that would be canceled. */
  async showOwnPage(ownPage: OwnPage): Promise<void> {
    this.#ownPage = ownPage
    this.#isOwnPageAwaited = true
    const given = new AbortController()
    const isLoaded = this.#ownPageLoad(given.signal)
    try {
      await this.goTo(ownAddress, { timeoutMs: ownPageMs })
      await isLoaded
    } finally {
      given.abort()
    }
  }

  /** Waits for the load of the wrapper's own page, at most {@link ownPageMs}. */
  async #ownPageLoad(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = this.#page.connection.onEvent(({ name, sessionId }) => {
      const isOurs = sessionId === this.#page.sessionId && !this.#isOwnPageAwaited
      if (name === 'Page.loadEventFired' && isOurs) resolve()
    })
    const tooLong = delay(ownPageMs, undefined, { signal, ref: false }).catch(() => undefined)
    await Promise.race([promise, tooLong])
    stop()
  }

  /** Takes an event of the page. */
  apply(event: DevToolsEvent): void {
    if (event.name === 'Page.frameNavigated') this.#noteNavigation(event.facts.frame)
    if (event.name === 'Page.domContentEventFired' && this.#unreachableUrl !== undefined)
      void this.#reportUnreachable(this.#unreachableUrl)
    if (event.name === 'Page.loadEventFired' && this.#shows === 'web') this.#noteLoad()
  }

  /** The server has answered the document with a status of {@link downStatuses}. */
  noteDown(status: number): void {
    if (this.#shows !== 'web') return
    this.#isDown = true
    const reason = `The server says that the service is down (status ${status}).`
    this.#emit('loadFailed', { url: this.#url, reason })
  }

  /** A button of the wrapper's own page was pressed. */
  notePress(action: string): void {
    const isOffered = this.#ownPage?.buttons.some(button => button.action === action)
    if (this.#shows === 'own' && isOffered) this.#emit('ownPageAction', { action })
  }

  #isStart({ loaderId, unreachableUrl }: Frame): boolean {
    if (loaderId === this.#start.loaderId) return true
    return this.#shows === 'start' && unreachableUrl === this.#start.address
  }

  #noteNavigation(frame: Frame): void {
    const { parentId, url, unreachableUrl } = frame
    if (parentId !== undefined || this.#isStart(frame)) return
    this.#unreachableUrl = unreachableUrl
    this.#isDown = false
    const isInHistory = this.#ownPage !== undefined && !this.#isHistoryClean
    if (url !== ownAddress || !(this.#isOwnPageAwaited || isInHistory)) {
      this.#shows = 'web'
      this.#url = url
      return
    }
    this.#shows = 'own'
    this.#isHistoryClean = false
    const first = this.#ownPage?.buttons[0]
    // The user has reloaded it, or gone back to it.
    if (!this.#isOwnPageAwaited && first) this.#emit('ownPageAction', { action: first.action })
    this.#isOwnPageAwaited = false
  }

  #noteLoad(): void {
    // The user must not go back to the start page or the wrapper's own page.
    if (!this.#isHistoryClean) this.#page.tell('Page.resetNavigationHistory')
    this.#isHistoryClean = true
    if (this.#unreachableUrl === undefined && !this.#isDown) this.#emit('loaded', { url: this.#url })
  }

  async #reportUnreachable(url: string): Promise<void> {
    const { result } = await this.#page
      .call('Runtime.evaluate', { expression: 'loadTimeDataRaw.errorCode' })
      .catch(() => ({ result: { value: '' } }))
    this.#emit('loadFailed', { url, reason: describeLoadFailure(String(result.value)) })
  }
}

/** Longest wait for a document once its server has answered, in milliseconds. */
const arrivalMs = 10_000
/** Longest wait for the document that takes the page's place as the browser refuses, in milliseconds. */
const replacementMs = 1_000

/**
 * Goes to an address and waits for its document, or for the browser's error page. The browser answers a moment before that, and a
 * navigation that begins in that moment is lost: another document loads, and the browser never answers. Returns why the address
 * could not be opened, in the browser's words; `net::ERR_ABORTED` when it is a download, or another navigation came between;
 * {@link overtaken} when it may be lost, or the browser refused it because another document takes the page's place.
 */
async function navigate(
  page: PageTarget,
  url: string,
  {
    mayGiveUp,
    isStart,
    ...options
  }: NavigateOptions & { readonly mayGiveUp: () => boolean; readonly isStart: (frame: Frame) => boolean },
): Promise<string | undefined> {
  const arrivals = new Set<string>()
  let ours: string | undefined
  let isOtherThere = false
  const lost = new AbortController()
  let look: () => void = () => undefined
  const stop = page.connection.onEvent(event => {
    if (event.sessionId !== page.sessionId) return
    if (event.name === 'Page.loadEventFired' && isOtherThere && mayGiveUp()) lost.abort()
    // A redirect keeps the loader, and may be loaded before the browser answers.
    if (
      event.name === 'Page.frameStartedNavigating' &&
      withoutFragment(event.facts.url) === withoutFragment(url)
    )
      ours = event.facts.loaderId
    if (event.name !== 'Page.frameNavigated') return
    const { frame } = event.facts
    const { parentId, loaderId, url: arrived } = frame
    const isOurs = ours === undefined ? arrived === withoutFragment(url) : loaderId === ours
    if (parentId === undefined) isOtherThere = !isStart(frame) && !isOurs
    arrivals.add(loaderId)
    look()
  })
  const given = new AbortController()
  const arrival = (isIt: () => boolean, ms: number) =>
    new Promise<void>(resolve => {
      look = () => {
        if (isIt()) resolve()
      }
      look()
      // The timer does not keep the process alive.
      delay(ms, undefined, { signal: given.signal, ref: false }).then(resolve, () => undefined)
    })
  try {
    const signal = AbortSignal.any([lost.signal, ...(options.signal ? [options.signal] : [])])
    const { errorText, loaderId, isDownload } = await page.call(
      'Page.navigate',
      { url },
      { ...options, signal },
    )
    if (loaderId === undefined || isDownload || errorText === aborted || arrivals.has(loaderId))
      return errorText
    await arrival(() => arrivals.has(loaderId), arrivalMs)
    return errorText
  } catch (error) {
    if (error === lost.signal.reason) return overtaken
    if (!(error instanceof DevToolsCallError && mayGiveUp())) throw error
    await arrival(() => isOtherThere, replacementMs)
    return overtaken
  } finally {
    given.abort()
    stop()
  }
}

/** Takes the place of the browser's error for a navigation that another document has overtaken. */
const overtaken = 'overtaken'

/** The browser's error for a navigation without a document. */
export const aborted = 'net::ERR_ABORTED'
