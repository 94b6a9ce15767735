import type {
  CallOptions,
  Engine,
  EngineEvents,
  EngineWindow,
  JsonValue,
  OpenWindowOptions,
  OwnPage,
  SessionSnapshot,
  WindowNotice,
  WindowState,
} from '@service-link/window-engine'
import { EngineError, EventListeners, PageCallError } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import { growingPause } from './growing-pause.ts'
import type { SessionKeeper } from './keep-session.ts'
import { OccurrenceLimit, type Occurrences } from './occurrence-limit.ts'
import { pause } from './pause.ts'
import type { ReturnAddress } from './return-address.ts'

/** What {@link keepWindow} opens, and how it opens it again. */
export interface KeepWindowOptions {
  readonly engine: Engine
  readonly window: OpenWindowOptions
  readonly returnAddress: ReturnAddress
  /** Has the session that a window opened again is given, when somebody is signed in; dropped when the session is over. */
  readonly session: Pick<SessionKeeper, 'snapshot' | 'drop'>
  readonly report: ReportEvent
  /** Pause before the second attempt to open it again, in milliseconds; it doubles from then on. Default 1,000. */
  readonly firstPauseMs?: number
  /** So many losses in such a time, and it is given up. Default 3 in a minute. */
  readonly losses?: Occurrences | undefined
}

/** So many losses within so many milliseconds, and it is given up: what draws the window does not work here. */
const defaultLosses: Occurrences = { count: 3, withinMs: 60_000 }
/** How often it is tried to open another: a browser that is being updated is not there for a while. */
const maxOpenings = 5
/** Longest wait for a window to forget a session before it is closed, in milliseconds. */
const lastClearMs = 5000

/** A window that keeps in mind that a session is over until what it has left is forgotten. */
export interface SessionWindow extends EngineWindow {
  /**
   * Says that {@link clearSession} is to follow, or that it is not any more. A window that has to be opened anew until then forgets
   * what pages have left before it goes anywhere.
   */
  setSessionOver(isOver: boolean): void
  /**
   * As every window's. One that fails is reported, and gives way to a window that forgets before it goes anywhere.
   *
   * @throws {EngineError} `gone` when this window is over, or no other opens
   */
  clearSession(): Promise<void>
}

/**
 * Opens a window that outlives its engine: when the engine's processes are gone without having been asked, a new window takes
 * its place, and whoever holds this one sees a page that went away and came back. Given up after so many losses as are
 * too many, or when no other opens: `closed` then says that it is lost.
 *
 * @throws {EngineError} when the first window does not open
 */
export async function keepWindow(options: KeepWindowOptions): Promise<SessionWindow> {
  return new KeptWindow(options, await options.engine.open(options.window))
}

class KeptWindow implements SessionWindow {
  readonly #options: KeepWindowOptions
  readonly #listeners = new EventListeners<EngineEvents>()
  readonly #losses: OccurrenceLimit
  readonly #ending = new AbortController()
  /** The window that stands; `undefined` between a loss and the next window. */
  #standing: EngineWindow | undefined
  /** The window that stands, or will; rejects when none will. */
  #next: Promise<EngineWindow>
  /** Whether the window that stands has not yet got what its predecessor had. */
  #isPreparing = false
  #isLostTooOften = false
  #isMinimisingOnClose = false
  #isMinimised = false
  #notice: WindowNotice | undefined
  #appearance: Partial<EngineEvents['appearanceChanged']>
  /** Whether a session has ended of which pages have left something that is not yet forgotten. */
  #isSessionOver = false
  /** The window that could not forget it, and whether because its engine had ended already. */
  #discarded: { readonly window: EngineWindow; readonly isLost: boolean } | undefined
  #isOver = false

  constructor(options: KeepWindowOptions, first: EngineWindow) {
    this.#options = options
    this.#losses = new OccurrenceLimit(options.losses ?? defaultLosses)
    const { placement, zoom } = options.window
    this.#appearance = { ...(placement && { placement }), ...(zoom !== undefined && { zoom }) }
    this.#next = Promise.resolve(first)
    this.#adopt(first)
  }

  async call(value: JsonValue, options: CallOptions): Promise<unknown> {
    try {
      return await this.#present().call(value, options)
    } catch (error) {
      throw this.#asPageFault(error)
    }
  }

  async ping(options: CallOptions): Promise<void> {
    try {
      await this.#present().ping(options)
    } catch (error) {
      throw this.#asPageFault(error)
    }
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

  async showOwnPage(page: OwnPage): Promise<void> {
    await this.#presentEngine().showOwnPage(page)
  }

  async setNotice(notice: WindowNotice | undefined): Promise<void> {
    this.#notice = notice
    await (await this.#next).setNotice(notice)
  }

  async minimise(): Promise<void> {
    this.#isMinimised = true
    await (await this.#next).minimise()
  }

  async show(): Promise<void> {
    this.#isMinimised = false
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

  async clearSession(): Promise<void> {
    this.setSessionOver(true)
    for (;;) {
      const window = await this.#next
      // One that was opened meanwhile has forgotten it.
      if (!this.#isSessionOver) return
      try {
        await window.clearSession()
        this.#isSessionOver = false
        return
      } catch (error) {
        this.setSessionOver(true)
        this.#reportSignOutFailed(error)
        if (this.#isOver || this.#ending.signal.aborted) throw error
        await this.#discard(window, error)
      }
    }
  }

  async close(): Promise<void> {
    this.#ending.abort()
    try {
      if (this.#isSessionOver) await this.#clearAtLast()
      // Between two windows there is none; the one that opens gives itself up.
      if (this.#standing) await this.#standing.close()
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

  /** The next start is to find nothing of it either. */
  async #clearAtLast(): Promise<void> {
    const cleared = this.#standing?.clearSession().catch(error => this.#reportSignOutFailed(error))
    await Promise.race([cleared, pause(lastClearMs)])
  }

  /** Has another window take the place of one that could not forget a session. */
  async #discard(window: EngineWindow, error: unknown): Promise<void> {
    if (this.#standing !== window) return
    this.#discarded = { window, isLost: error instanceof EngineError && error.fault === 'gone' }
    await window.close().catch(() => undefined)
  }

  #reportSignOutFailed(error: unknown): void {
    const reason = error instanceof EngineError ? error.fault : 'unknown'
    this.#options.report({ type: 'sign-out-failed', reason })
  }

  #present(): EngineWindow {
    if (this.#isOver) throw new PageCallError('closed')
    if (!this.#standing) throw new PageCallError('crashed')
    return this.#standing
  }

  /** What concerns the page that is shown must not befall the one of the next window. */
  #presentEngine(): EngineWindow {
    if (!this.#standing) throw gone()
    return this.#standing
  }

  /** The engine has closed; this window has not, unless it is over. */
  #asPageFault(error: unknown): unknown {
    const isEngineGone = error instanceof PageCallError && error.fault === 'closed'
    return isEngineGone && !this.#isOver && !this.#ending.signal.aborted
      ? new PageCallError('crashed')
      : error
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
      this.#isMinimised = true
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
      const discarded = this.#discarded?.window === window ? this.#discarded : undefined
      const isLost = event.isLost || discarded?.isLost === true
      if ((!isLost && !discarded) || this.#ending.signal.aborted) {
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
    for (let attempt = 0; attempt < maxOpenings && !this.#isLostTooOften; attempt++) {
      if (attempt > 0) await pause(growingPause(attempt - 1, { firstMs, longestMs: 10_000 }), signal)
      if (signal.aborted) throw gone()
      const window = await this.#openAgain(session).catch(() => undefined)
      if (window && !signal.aborted) {
        report({ type: 'engine-restarted' })
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
    const isSessionForgotten = this.#isSessionOver
    const window = await engine.open({ ...first, ...this.#appearance, url, isSessionForgotten, signal })
    if (this.#isSessionOver && !isSessionForgotten) {
      await window.close()
      throw gone()
    }
    this.#isSessionOver = false
    this.#isPreparing = true
    this.#adopt(window)
    try {
      window.setMinimiseOnClose(this.#isMinimisingOnClose)
      if (session && !isSessionForgotten && !this.#isSessionOver) {
        // The first load went without it. Where it cannot be had, the user signs in.
        await window.restoreSession(session).catch(() => undefined)
        await window.navigate(url).catch(() => undefined)
      }
      if (this.#isMinimised) await window.minimise().catch(() => undefined)
      if (this.#notice) await window.setNotice(this.#notice).catch(() => undefined)
      if (this.#standing !== window) throw gone()
      return window
    } finally {
      this.#isPreparing = false
    }
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
