import type { EndReason } from '@service-link/protocol-core'
import { type EngineWindow, EventListeners, type SessionSnapshot } from '@service-link/window-engine'
import type { ReportEvent } from '../log/events.ts'
import type { Bridge } from './bridge.ts'

export type SignOutOrigin = 'page' | 'tray' | 'integrator' | 'pipe'

/** What other programs are told when each of these has ended a session. */
export const endReasons: Readonly<Record<SignOutOrigin, EndReason>> = {
  page: 'user',
  tray: 'user',
  integrator: 'journal',
  pipe: 'journal',
}

interface SignInEvents {
  changed: {
    readonly isSignedIn: boolean
    /** Why the session has ended. */
    readonly reason?: EndReason | undefined
  }
  /** The page or a time limit has ended the session. */
  signedOutByPage: {
    /** Whether the page said so. Else it has connected and named no user. */
    readonly isSaid: boolean
  }
}

interface SignInStateOptions {
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
  /** Who is signed in, if the page has said so. */
  #user: string | undefined
  #isExpected = false
  /** Whether the wrapper is ending the session. Messages of pages are ignored meanwhile. */
  #isEnding = false
  /** Whether the page of an ended session is still there and may not know. */
  #isPageObsolete = false
  #settling: NodeJS.Timeout | undefined

  constructor(bridge: Bridge, options: SignInStateOptions) {
    this.#bridge = bridge
    this.#options = options
    this.#stops = [
      bridge.on('signedOut', ({ reason }) => {
        if (!this.#isSignedIn) return
        this.#endByPage(true, reason)
      }),
      bridge.on('stateChanged', state => this.#follow(state)),
      bridge.on('signedIn', ({ user }) => this.#noteUser(user)),
    ]
    this.#follow(bridge.state)
  }

  get isSignedIn(): boolean {
    return this.#isSignedIn
  }

  /** Whether a payload's employee has not signed in yet: the page may show a log-in first, and the payload's person after it. */
  get isExpected(): boolean {
    return this.#isExpected
  }

  /** Notes that a payload's page has come. */
  expect(): void {
    this.#isExpected = !this.#isSignedIn
  }

  /** Notes the end of the session. Unless the page has ended it, nobody is signed in until {@link noteCleared}. */
  end(by: SignOutOrigin, reason: EndReason = endReasons[by]): void {
    clearTimeout(this.#settling)
    if (by !== 'page') this.#isEnding = true
    this.#isExpected = false
    if (!this.#isSignedIn) return
    this.#options.report({ type: 'signed-out', by })
    this.#change(false, reason)
  }

  /** Notes that the session's data is removed. A page from before is to be loaded anew. */
  noteCleared({ isPageNew }: { readonly isPageNew: boolean }): void {
    if (!this.#isEnding) return
    this.#isEnding = false
    this.#isPageObsolete = !isPageNew && this.#bridge.state.isLoaded
    this.#follow(this.#bridge.state)
  }

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
    this.#settling = setTimeout(() => this.#endByPage(false, 'time'), this.#options.settleMs ?? 10_000)
    this.#settling.unref()
  }

  /** The session of a user can end with its document, and the next document have another user. */
  #noteUser(user: string): void {
    if (!this.#isSignedIn || this.#isPageObsolete) return
    const isOther = this.#user !== undefined && this.#user !== user
    if (isOther) this.end('page')
    this.#user = user
    if (isOther) this.#follow(this.#bridge.state)
  }

  #endByPage(isSaid: boolean, reason: EndReason | undefined): void {
    this.end('page', reason)
    this.#listeners.emit('signedOutByPage', { isSaid })
  }

  #change(isSignedIn: boolean, reason?: EndReason): void {
    this.#isSignedIn = isSignedIn
    this.#isExpected = false
    if (!isSignedIn) this.#user = undefined
    this.#listeners.emit('changed', { isSignedIn, reason })
  }
}

/** Time between two snapshots, in milliseconds. */
const snapshotEveryMs = 60_000

interface WatchedSession {
  readonly window: EngineWindow
  readonly bridge: Bridge
  readonly signIn: SignInState
}

/**
 * Keeps the session of the signed-in user, in memory only, for the window that follows a lost engine. It begins anew with each
 * document, which may have another user.
 */
export class SessionKeeper implements Disposable {
  #watched: WatchedSession | undefined
  #snapshot: SessionSnapshot | undefined
  /** Changes when a snapshot in progress must not be kept. */
  #period = 0
  /** Whether the present document's session is kept, or must not be. */
  #isDecided = false
  #timer: NodeJS.Timeout | undefined
  #stops: readonly (() => void)[] = []

  /** The session, at most a minute old; `undefined` when nobody is signed in, or somebody else may be. */
  get snapshot(): SessionSnapshot | undefined {
    return this.#snapshot
  }

  watch(watched: WatchedSession): void {
    const { bridge, signIn } = watched
    this.#watched = watched
    this.#stops = [
      bridge.on('stateChanged', state => this.#follow(state)),
      signIn.on('changed', ({ isSignedIn }) => isSignedIn || this.drop()),
    ]
    this.#follow(bridge.state)
  }

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
    void this.#save()
    this.#timer = setInterval(() => void this.#save(), snapshotEveryMs)
    this.#timer.unref()
  }

  /** If it fails, the former snapshot stays. */
  async #save(): Promise<void> {
    if (!this.#watched?.bridge.state.isSignedIn) return
    const period = this.#period
    const snapshot = await this.#watched.window.saveSession().catch(() => undefined)
    if (snapshot && period === this.#period) this.#snapshot = snapshot
  }
}
