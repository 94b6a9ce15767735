import type { EngineWindow, SessionSnapshot } from '@service-link/window-engine'
import type { Bridge } from './bridge.ts'
import type { SignInState } from './sign-in-state.ts'

/** Options of {@link SessionKeeper}. */
export interface SessionKeeperOptions {
  /** Time between two snapshots, in milliseconds. Default 60,000. */
  readonly everyMs?: number
}

/** Parts of an open window that {@link SessionKeeper} follows. */
export interface WatchedSession {
  readonly window: EngineWindow
  readonly bridge: Bridge
  readonly signIn: SignInState
}

/**
 * Keeps the session of the signed-in user, in memory only, for the window that follows a lost engine. It begins anew with each
 * document, which may have another user.
 */
export class SessionKeeper implements Disposable {
  readonly #everyMs: number
  #watched: WatchedSession | undefined
  #snapshot: SessionSnapshot | undefined
  /** Changes when a snapshot in progress must not be kept. */
  #period = 0
  /** Whether the present document's session is kept, or must not be. */
  #isDecided = false
  #timer: NodeJS.Timeout | undefined
  #stops: readonly (() => void)[] = []

  constructor({ everyMs = 60_000 }: SessionKeeperOptions = {}) {
    this.#everyMs = everyMs
  }

  /** The session, at most a minute old; `undefined` when nobody is signed in, or somebody else may be. */
  get snapshot(): SessionSnapshot | undefined {
    return this.#snapshot
  }

  /** Begins to take snapshots of a window's session. */
  watch(watched: WatchedSession): void {
    const { bridge, signIn } = watched
    this.#watched = watched
    this.#stops = [
      bridge.on('stateChanged', state => this.#follow(state)),
      signIn.on('changed', ({ isSignedIn }) => isSignedIn || this.drop()),
    ]
    this.#follow(bridge.state)
  }

  /** Forgets the session. */
  drop(): void {
    clearInterval(this.#timer)
    this.#period++
    this.#snapshot = undefined
  }

  /** Forgets the session, and keeps none until the next document with a signed-in user. */
  end(): void {
    this.drop()
    this.#isDecided = true
  }

  /** Keeps the session of the present document after all. */
  resume(): void {
    if (!this.#watched) return
    this.#isDecided = false
    this.#follow(this.#watched.bridge.state)
  }

  [Symbol.dispose](): void {
    for (const stop of this.#stops) stop()
    this.end()
  }

  #follow({ isLoaded, isSignedIn }: Bridge['state']): void {
    if (!isSignedIn) {
      this.#isDecided = false
      // A page without a user may be the next user's. A page that went away says nothing about its user.
      if (isLoaded) this.drop()
      return
    }
    if (this.#isDecided || !this.#watched?.signIn.isSignedIn) return
    this.drop()
    this.#isDecided = true
    void this.#take()
    this.#timer = setInterval(() => void this.#take(), this.#everyMs)
    this.#timer.unref()
  }

  /** If it fails, the former snapshot stays. */
  async #take(): Promise<void> {
    if (!this.#watched?.bridge.state.isSignedIn) return
    const period = this.#period
    const snapshot = await this.#watched.window.saveSession().catch(() => undefined)
    if (snapshot && period === this.#period) this.#snapshot = snapshot
  }
}
