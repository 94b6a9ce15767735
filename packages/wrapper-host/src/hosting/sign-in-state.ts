import { EventListeners } from '@service-link/window-engine'
import type { Bridge } from '../bridge/bridge.ts'
import type { ReportEvent } from '../log/events.ts'

/** Who ended a session. */
export type SignOutOrigin = 'page' | 'tray' | 'integrator'

interface SignInEvents {
  changed: { readonly isSignedIn: boolean }
  /** The session ended without the wrapper's doing. */
  signedOutByPage: {
    /** Whether the page said so; else it has connected, and said of nobody that they are signed in. */
    readonly isSaid: boolean
  }
}

/** Options of {@link SignInState}. */
export interface SignInStateOptions {
  readonly report: ReportEvent
  /** How long a page that has connected may take to say that somebody is signed in, in milliseconds. Default 10,000. */
  readonly settleMs?: number
}

/**
 * Whether somebody is signed in, over reloads, crashes and times in which the service is away: only a page that is there can
 * say that nobody is.
 */
export class SignInState implements Disposable {
  readonly #bridge: Bridge
  readonly #options: SignInStateOptions
  readonly #listeners = new EventListeners<SignInEvents>()
  readonly #stops: readonly (() => void)[]
  #isSignedIn = false
  /** Whether the session is being ended: what pages say meanwhile is of no account. */
  #isEnding = false
  /** Whether the session was ended, and the page that it was in is still there and may not know. */
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

  /** Notes that the session is over. Unless the page has ended it, nobody is signed in until {@link noteCleared}. */
  end(by: SignOutOrigin): void {
    clearTimeout(this.#settling)
    if (by !== 'page') this.#isEnding = true
    if (!this.#isSignedIn) return
    this.#options.report({ type: 'signed-out', by })
    this.#change(false)
  }

  /** Notes that pages find nothing of the session any more. The one that is there is to be loaded anew. */
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
    // A page says hello first, and whether somebody is signed in as soon as it has asked the service.
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
