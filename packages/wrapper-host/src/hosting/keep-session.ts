import type { EngineWindow, SessionSnapshot } from '../window/engine.ts'
import type { SignInState } from './sign-in-state.ts'

/** Options of {@link SessionKeeper}. */
export interface SessionKeeperOptions {
  /** Time between two snapshots, in milliseconds. Default 60,000. */
  readonly everyMs?: number
}

/**
 * Keeps the session of whoever is signed in, in memory only and never longer than that, so that a window whose engine was lost
 * can go on with it.
 */
export class SessionKeeper implements Disposable {
  readonly #everyMs: number
  #snapshot: SessionSnapshot | undefined
  /** Changes whenever a snapshot that is being taken must not be kept any more. */
  #period = 0
  #timer: NodeJS.Timeout | undefined
  #stop: () => void = () => undefined

  constructor({ everyMs = 60_000 }: SessionKeeperOptions = {}) {
    this.#everyMs = everyMs
  }

  /** The session as it was a minute ago at most; `undefined` when nobody is signed in. */
  get snapshot(): SessionSnapshot | undefined {
    return this.#snapshot
  }

  /** Begins to take snapshots of a window's session. */
  watch(window: EngineWindow, signIn: SignInState): void {
    const follow = () => {
      this.drop()
      clearInterval(this.#timer)
      if (!signIn.isSignedIn) return
      void this.#take(window)
      this.#timer = setInterval(() => void this.#take(window), this.#everyMs)
      this.#timer.unref()
    }
    this.#stop = signIn.on('changed', follow)
    follow()
  }

  /** Forgets the session. */
  drop(): void {
    this.#period++
    this.#snapshot = undefined
  }

  [Symbol.dispose](): void {
    this.#stop()
    clearInterval(this.#timer)
    this.drop()
  }

  /** One that cannot be taken leaves the former. */
  async #take(window: EngineWindow): Promise<void> {
    const period = this.#period
    const snapshot = await window.saveSession().catch(() => undefined)
    if (snapshot && period === this.#period) this.#snapshot = snapshot
  }
}
