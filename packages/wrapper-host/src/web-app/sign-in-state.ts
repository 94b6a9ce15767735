import { EventListeners } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import type { Bridge } from './bridge.ts'

/** Who ended a session. */
export type SignOutOrigin = 'page' | 'tray' | 'integrator'

interface SignInEvents {
  changed: { readonly isSignedIn: boolean }
  /** The page or a time limit has ended the session. */
  signedOutByPage: {
    /** Whether the page said so. Else it has connected and named no user. */
    readonly isSaid: boolean
  }
}

/** Options of {@link SignInState}. */
export interface SignInStateOptions {
  readonly report: ReportEvent
  /** Longest wait for a connected page to say that somebody is signed in, in milliseconds. Default 10,000. */
  readonly settleMs?: number
}

/** Whether somebody is signed in. Reloads, crashes and an absent service do not change that: only a connected page does. */
export class SignInState implements Disposable {
  readonly #bridge: Bridge
  readonly #options: SignInStateOptions
  readonly #listeners = new EventListeners<SignInEvents>()
  readonly #stops: readonly (() => void)[]
  #isSignedIn = false
  /** Whether the wrapper is ending the session. Messages of pages are ignored meanwhile. */
  #isEnding = false
  /** Whether the page of an ended session is still there and may not know. */
  #isPageObsolete = false
  #settling: NodeJS.Timeout | undefined

  constructor(bridge: Bridge, options: SignInStateOptions) {
    this.#bridge = bridge
    this.#options = options
    this.#stops = [
      bridge.on('signedOut', () => {
        if (!this.#isSignedIn) return
        this.#endByPage(true)
      }),
      bridge.on('stateChanged', state => this.#follow(state)),
    ]
    this.#follow(bridge.state)
  }

  get isSignedIn(): boolean {
    return this.#isSignedIn
  }

  /** Notes the end of the session. Unless the page has ended it, nobody is signed in until {@link noteCleared}. */
  end(by: SignOutOrigin): void {
    clearTimeout(this.#settling)
    if (by !== 'page') this.#isEnding = true
    if (!this.#isSignedIn) return
    this.#options.report({ type: 'signed-out', by })
    this.#change(false)
  }

  /** Notes that the session's data is removed. The present page is to be loaded anew. */
  noteCleared(): void {
    if (!this.#isEnding) return
    this.#isEnding = false
    this.#isPageObsolete = this.#bridge.state.isLoaded
  }

  /** Adds a listener; the function returned removes it. */
  on<Name extends keyof SignInEvents>(name: Name, listener: (event: SignInEvents[Name]) => void): () => void {
    return this.#listeners.on(name, listener)
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#settling)
    for (const stop of this.#stops) stop()
    this.#listeners.clear()
  }

  #follow({ isLoaded, isSignedIn }: Bridge['state']): void {
    clearTimeout(this.#settling)
    this.#settling = undefined
    if (this.#isEnding) return
    if (!isLoaded) this.#isPageObsolete = false
    if (this.#isPageObsolete) return
    if (isSignedIn && !this.#isSignedIn) {
      this.#options.report({ type: 'signed-in' })
      this.#change(true)
    }
    if (isSignedIn || !isLoaded || !this.#isSignedIn) return
    // A page says hello first. It learns from the service who is signed in.
    this.#settling = setTimeout(() => this.#endByPage(false), this.#options.settleMs ?? 10_000)
    this.#settling.unref()
  }

  #endByPage(isSaid: boolean): void {
    this.end('page')
    this.#listeners.emit('signedOutByPage', { isSaid })
  }

  #change(isSignedIn: boolean): void {
    this.#isSignedIn = isSignedIn
    this.#listeners.emit('changed', { isSignedIn })
  }
}
