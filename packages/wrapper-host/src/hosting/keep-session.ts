import type { EngineWindow, SessionSnapshot } from '@service-link/window-engine'
import type { Bridge } from '../bridge/bridge.ts'
import type { SignInState } from './sign-in-state.ts'

/** Options of {@link SessionKeeper}. */
export interface SessionKeeperOptions {
  /** Time between two snapshots, in milliseconds. Default 60,000. */
  readonly everyMs?: number
}

/** Whose session is kept. */
export interface WatchedSession {
  readonly window: EngineWindow
  readonly bridge: Bridge
  readonly signIn: SignInState
}

/**
 * Keeps the session of whoever is signed in, in memory only and never longer than that, so that a window whose engine was lost
 * can go on with it. It begins anew with each document: the user of the next may be another one.
 */
export class SessionKeeper implements Disposable {
  readonly #everyMs: number
  #watched: WatchedSession | undefined
  #snapshot: SessionSnapshot | undefined
  /** Changes whenever a snapshot that is being taken must not be kept any more. */
  #period = 0
  /** Whether keeping the session of the document that is there was begun, or ended. */
  #isDecided = false
  #timer: NodeJS.Timeout | undefined
  #stops: readonly (() => void)[] = []

  constructor({ everyMs = 60_000 }: SessionKeeperOptions = {}) {
    this.#everyMs = everyMs
  }

  /** The session as it was a minute ago at most; `undefined` when nobody is signed in, or somebody else may be. */
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

  /** Forgets the session, and keeps none before the next document in which somebody is signed in. */
  end(): void {
    this.drop()
    this.#isDecided = true
  }

  /** Goes on with the document that is there after all. */
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
      // A page that went away says nothing of its user; one that is there and names none may be the next user's.
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

  /** One that cannot be taken leaves the former. */
  async #take(): Promise<void> {
    if (!this.#watched?.bridge.state.isSignedIn) return
    const period = this.#period
    const snapshot = await this.#watched.window.saveSession().catch(() => undefined)
    if (snapshot && period === this.#period) this.#snapshot = snapshot
  }
}
