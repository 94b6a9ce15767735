import { assertParameter, type ParameterKind } from '@service-link/protocol-core/errors'
import { growingPause, pause } from '@service-link/protocol-core/time'
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
  type SessionSnapshot,
  type WindowNotice,
  type WindowState,
} from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import { OccurrenceLimit } from './recovery-limits.ts'
import type { ReturnAddress } from './return-address.ts'

interface KeepWindowOptions {
  readonly engine: Engine
  readonly window: OpenWindowOptions
  readonly returnAddress: ReturnAddress
  /** The kept session, which a new window gets. It is dropped when the session is over. */
  readonly session: { readonly snapshot: SessionSnapshot | undefined; drop(): void }
  readonly report: ReportEvent
  /** Pause before the second attempt to open a new window, in milliseconds; it doubles each time. Default 1,000. */
  readonly firstPauseMs?: number
}

/** A browser that is being updated is missing for a while. */
const maxOpenings = 5

/** A window that remembers that a session is over until its data is removed, and that an icon in the tray brings it back. */
export interface SessionWindow extends EngineWindow {
  /** Hides the window where its engine can and {@link setTrayShown} allows it; else minimizes it. */
  hide(): Promise<void>
  /** @throws {EngineError} `not-available` when the engine has no such method */
  fetchText(url: string, options: FetchTextOptions): Promise<FetchedText>
  /** Says whether an icon in the tray brings a hidden window back. If not, a hidden window is minimized. */
  setTrayShown(isShown: boolean): void
  /** Says whether {@link endSession} is to follow. A window opened anew until then gets no session. */
  setSessionOver(isOver: boolean): void
  /**
   * Removes the data of the session: a new window, which knows nothing of it, takes the window's place and loads the page anew. A
   * window that is minimized or hidden stays so.
   */
  endSession(): Promise<void>
}

/**
 * Opens a window that outlives its engine. When the engine's processes have ended unasked, a new window takes their place; to the
 * caller the page went away and came back. After too many losses, or if no new window opens, `closed` says that it is lost.
 */
export async function keepWindow(options: KeepWindowOptions): Promise<SessionWindow> {
  const window = await options.engine.open(options.window)
  assertParameter('engine.open()', window, 'object', windowMembers)
  return new KeptWindow(options, window)
}

/** What an integrator's window must have: it is missed here, not when a user needs it. */
const windowMembers = {
  call: 'function',
  navigate: 'function',
  post: 'function',
  reload: 'function',
  ping: 'function',
  restartPage: 'function',
  canReach: 'function',
  fetchText: 'function?',
  showOwnPage: 'function',
  setNotice: 'function',
  minimise: 'function',
  hide: 'function?',
  browserPid: 'number?',
  show: 'function',
  windowState: 'function',
  setMinimiseOnClose: 'function',
  saveSession: 'function',
  restoreSession: 'function',
  close: 'function',
  on: 'function',
} as const satisfies Record<Exclude<keyof EngineWindow, symbol>, ParameterKind>

class KeptWindow implements SessionWindow {
  readonly #options: KeepWindowOptions
  readonly #listeners = new EventListeners<EngineEvents>()
  readonly #losses = new OccurrenceLimit({ count: 3, withinMs: 60_000 })
  readonly #ending = new AbortController()
  /** The present window; `undefined` between a loss and the next one. */
  #standing: EngineWindow | undefined
  /** The present or the next window; rejects when there will be none. */
  #next: Promise<EngineWindow>
  /** Whether the present window still has to get the state of its predecessor. */
  #isPreparing = false
  #isLostTooOften = false
  #isMinimisingOnClose = false
  #isMinimised = false
  /** Whether it is minimized by {@link hide}. */
  #isHidden = false
  #isTrayShown = false
  #isUnhidableTold = false
  #notice: WindowNotice | undefined
  #appearance: Partial<EngineEvents['appearanceChanged']>
  /** Whether data of an ended session is still there. */
  #isSessionOver = false
  /** The window that a new one is to replace. */
  #exchanged: EngineWindow | undefined
  #isOver = false

  constructor(options: KeepWindowOptions, first: EngineWindow) {
    this.#options = options
    const { placement, zoom } = options.window
    this.#appearance = { ...(placement && { placement }), ...(zoom !== undefined && { zoom }) }
    this.#next = Promise.resolve(first)
    this.#adopt(first)
  }

  call(value: JsonValue, options: CallOptions): Promise<unknown> {
    return this.#onPage(window => window.call(value, options))
  }

  ping(options: CallOptions): Promise<void> {
    return this.#onPage(window => window.ping(options))
  }

  async navigate(url: string): Promise<void> {
    await (await this.#next).navigate(url)
  }

  async post(url: string, form: Readonly<Record<string, string>>, options: CallOptions) {
    this.#options.returnAddress.notePosted(url)
    return (await this.#next).post(url, form, options)
  }

  async reload(): Promise<void> {
    await (await this.#next).reload()
  }

  async restartPage(options?: { readonly url?: string }): Promise<void> {
    await this.#presentEngine().restartPage(options)
  }

  async canReach(url: string, options: CallOptions): Promise<boolean> {
    return (await this.#standing?.canReach(url, options)) ?? false
  }

  async fetchText(url: string, options: FetchTextOptions): Promise<FetchedText> {
    const window = this.#presentEngine()
    if (!window.fetchText) throw new EngineError('not-available', 'This engine gets no texts.')
    return window.fetchText(url, options)
  }

  async showOwnPage(page: OwnPage): Promise<void> {
    await this.#presentEngine().showOwnPage(page)
  }

  async setNotice(notice: WindowNotice | undefined): Promise<void> {
    this.#notice = notice
    await (await this.#next).setNotice(notice)
  }

  async minimise(): Promise<void> {
    if (this.#isKiosk) return
    this.#isMinimised = true
    this.#isHidden = false
    await (await this.#next).minimise()
  }

  async hide(): Promise<void> {
    if (!this.#isTrayShown || this.#isKiosk) return this.minimise()
    this.#isMinimised = true
    this.#isHidden = true
    await this.#hide(await this.#next)
  }

  setTrayShown(isShown: boolean): void {
    this.#isTrayShown = isShown
    if (!isShown && this.#isHidden) this.minimise().catch(() => undefined)
  }

  get browserPid(): number | undefined {
    return this.#standing?.browserPid
  }

  async show(): Promise<void> {
    this.#isMinimised = false
    this.#isHidden = false
    await (await this.#next).show()
  }

  async windowState(): Promise<WindowState> {
    if (this.#isOver) return 'closed'
    const state = await this.#standing?.windowState()
    if (state === 'normal' || state === 'minimised') this.#isMinimised = state === 'minimised'
    return this.#isOver ? 'closed' : this.#isMinimised ? 'minimised' : 'normal'
  }

  setMinimiseOnClose(isMinimising: boolean): void {
    this.#isMinimisingOnClose = isMinimising
    this.#standing?.setMinimiseOnClose(isMinimising)
  }

  async saveSession(): Promise<SessionSnapshot> {
    return (await this.#next).saveSession()
  }

  async restoreSession(session: SessionSnapshot): Promise<void> {
    await (await this.#next).restoreSession(session)
  }

  setSessionOver(isOver: boolean): void {
    this.#isSessionOver = isOver
    if (isOver) this.#options.session.drop()
  }

  async endSession(): Promise<void> {
    this.setSessionOver(true)
    for (;;) {
      const window = await this.#next
      // A window opened meanwhile knows nothing of the session.
      if (!this.#isSessionOver) return
      if (this.#ending.signal.aborted) throw gone()
      await this.#exchange(window)
    }
  }

  async close(): Promise<void> {
    this.#ending.abort()
    try {
      // An opening window closes itself.
      if (this.#standing) await this.#closeWindow(this.#standing)
      else await this.#next.catch(() => undefined)
    } finally {
      this.#end(false)
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  on<Name extends keyof EngineEvents>(name: Name, listener: (event: EngineEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  /** Replaces a window: with it goes all that its engine has kept. */
  async #exchange(window: EngineWindow): Promise<void> {
    // Its user may have minimized it, which no event says.
    await this.windowState().catch(() => undefined)
    // Meanwhile the engine may have been lost, or the next user have signed in.
    if (this.#standing !== window || !this.#isSessionOver) return
    this.#exchanged = window
    try {
      await this.#closeWindow(window)
    } catch (error) {
      this.#exchanged = undefined
      this.#reportSignOutFailed(error)
      throw error
    }
  }

  /** Files that are left are no reason to fail: the next start removes them. */
  async #closeWindow(window: EngineWindow): Promise<void> {
    try {
      await window.close()
    } catch (error) {
      if (!(error instanceof EngineError) || error.fault !== 'data-left') throw error
      this.#reportSignOutFailed(error)
    }
  }

  #reportSignOutFailed(error: unknown): void {
    const reason = error instanceof EngineError ? error.fault : 'unknown'
    this.#options.report({ type: 'sign-out-failed', reason })
  }

  /** To the caller, an ended engine is a crashed page while this window goes on. */
  async #onPage<Result>(act: (window: EngineWindow) => Promise<Result>): Promise<Result> {
    if (this.#isOver) throw new PageCallError('closed')
    if (!this.#standing) throw new PageCallError('crashed')
    try {
      return await act(this.#standing)
    } catch (error) {
      const isEngineGone = error instanceof PageCallError && error.fault === 'closed'
      const goesOn = !this.#isOver && !this.#ending.signal.aborted
      throw isEngineGone && goesOn ? new PageCallError('crashed') : error
    }
  }

  get #isKiosk(): boolean {
    return this.#options.window.isKiosk === true
  }

  /** The present window: calls for its page must not hit the page of the next one. */
  #presentEngine(): EngineWindow {
    if (!this.#standing) throw gone()
    return this.#standing
  }

  #adopt(window: EngineWindow): void {
    this.#standing = window
    const tell = <Name extends keyof EngineEvents>(name: Name) =>
      window.on(name, event => this.#listeners.emit(name, event))
    for (const name of ['message', 'unloading', 'loadFailed', 'pageCrashed', 'ownPageAction'] as const)
      tell(name)
    window.on('loaded', event => {
      this.#options.returnAddress.noteLoaded(event.url)
      this.#listeners.emit('loaded', event)
    })
    window.on('closeVetoed', event => {
      this.#isMinimised = !this.#isKiosk
      this.#listeners.emit('closeVetoed', event)
    })
    window.on('appearanceChanged', event => {
      this.#appearance = event
      this.#listeners.emit('appearanceChanged', event)
    })
    window.on('noticeAction', event => {
      this.#notice = undefined
      this.#listeners.emit('noticeAction', event)
    })
    window.on('closed', event => {
      if (this.#standing !== window) return
      this.#standing = undefined
      const { isLost } = event
      // The page of a sign-in does not hold its user back, so a kiosk's window comes back.
      const comesBack = isLost || this.#exchanged === window || this.#isKiosk
      if (!comesBack || this.#ending.signal.aborted) {
        this.#end(false)
        return
      }
      if (isLost && !this.#isPreparing) this.#options.report({ type: 'engine-lost' })
      if (isLost) this.#isLostTooOften = this.#losses.isReachedByOneMore()
      if (!this.#isPreparing) this.#replace()
    })
  }

  #replace(): void {
    this.#next = this.#reopen()
    this.#next.catch(() => undefined)
    this.#listeners.emit('unloading', {})
  }

  async #reopen(): Promise<EngineWindow> {
    const { firstPauseMs: firstMs = 1000, report } = this.#options
    const { signal } = this.#ending
    const session = this.#options.session.snapshot
    const isExchange = this.#exchanged !== undefined
    this.#exchanged = undefined
    for (let attempt = 0; attempt < maxOpenings && !this.#isLostTooOften; attempt++) {
      // A user who closes a kiosk again and again must not occupy the machine.
      const isPausing = attempt > 0 || (this.#isKiosk && !isExchange)
      const pauseMs = isPausing ? growingPause(Math.max(attempt - 1, 0), { firstMs, longestMs: 10_000 }) : 0
      await pause(pauseMs, signal).catch(() => undefined)
      if (signal.aborted) throw gone()
      const window = await this.#openAgain(session).catch(() => undefined)
      if (window && !signal.aborted) {
        if (!isExchange) report({ type: 'engine-restarted' })
        return window
      }
      await window?.close()
    }
    return this.#giveUp()
  }

  async #giveUp(): Promise<never> {
    const isAskedFor = this.#ending.signal.aborted
    if (!isAskedFor) this.#options.report({ type: 'engine-given-up' })
    if (this.#isSessionOver) this.#reportSignOutFailed(gone())
    this.#end(!isAskedFor)
    throw gone()
  }

  async #openAgain(session: SessionSnapshot | undefined): Promise<EngineWindow> {
    const { engine, window: first, returnAddress } = this.#options
    const { signal } = this.#ending
    const url = returnAddress.current
    const window = await engine.open({ ...first, ...this.#appearance, url, signal })
    const isResumed = session !== undefined && !this.#isSessionOver
    if (!isResumed) this.#isSessionOver = false
    this.#isPreparing = true
    this.#adopt(window)
    try {
      window.setMinimiseOnClose(this.#isMinimisingOnClose)
      if (isResumed) {
        // The first load had no session. If it cannot be restored, the user signs in.
        await window.restoreSession(session).catch(() => undefined)
        await window.navigate(url).catch(() => undefined)
      }
      if (this.#isHidden) await this.#hide(window).catch(() => undefined)
      else if (this.#isMinimised) await window.minimise().catch(() => undefined)
      if (this.#notice) await window.setNotice(this.#notice).catch(() => undefined)
      if (this.#standing !== window) throw gone()
      return window
    } finally {
      this.#isPreparing = false
    }
  }

  async #hide(window: EngineWindow): Promise<void> {
    if (window.hide) return window.hide()
    if (!this.#isUnhidableTold)
      this.#options.report({ type: 'window-unhidable', engine: this.#options.engine.name })
    this.#isUnhidableTold = true
    await window.minimise()
  }

  #end(isLost: boolean): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#ending.abort()
    this.#listeners.emit('closed', { isLost })
    this.#listeners.clear()
  }
}

function gone(): EngineError {
  return new EngineError('gone', 'The browser of the window has ended.')
}
