import type { SignInState } from '../hosting/sign-in-state.ts'

/** What of the sign-in state is followed. */
export type FollowedSignIn = Pick<SignInState, 'isSignedIn' | 'on'>

/** One piece of work, for as long as it is waited for or carried out. */
export interface SessionTie extends Disposable {
  /** Aborts when the session that the work belongs to has ended. */
  readonly signal: AbortSignal
  /** Notes that the work's own employee is signed on: it belongs to their session from now on. */
  signedOn(): void
  /** Notes that the page is at work for it: it belongs to the session that there is now, whenever it was taken. */
  begun(): void
}

/** What is tied. */
export interface SessionTieOptions {
  /** Whether the work first signs an employee of its own on, whoever is signed in until then. */
  readonly isSigningOn: boolean
  /** Makes the reason with which the signal aborts. */
  reason(): Error
}

interface Entry {
  isSigningOn: boolean
  isTied: boolean
  readonly controller: AbortController
  reason(): Error
}

/**
 * Ties work to the session of whoever is signed in, so that none is carried out for another user. What is taken while somebody is
 * signed in belongs to that session; what is taken while nobody is, to the next; what is behind work that signs an employee on,
 * to theirs. With the session all work ends that belongs to it.
 */
export class SessionTies {
  readonly #entries = new Set<Entry>()
  #signingOnCount = 0
  #signIn: FollowedSignIn | undefined

  /** Follows who is signed in; until then, nobody is. */
  follow(signIn: FollowedSignIn): void {
    this.#signIn = signIn
    signIn.on('changed', ({ isSignedIn }) => (isSignedIn ? this.#tieAll() : this.#endSession()))
    this.#tieAll()
  }

  /** Adds a piece of work, behind those that are there. */
  add({ isSigningOn, reason }: SessionTieOptions): SessionTie {
    const entry: Entry = { isSigningOn, isTied: false, controller: new AbortController(), reason }
    this.#entries.add(entry)
    if (isSigningOn) this.#signingOnCount++
    else entry.isTied = this.#signIn?.isSignedIn === true && this.#signingOnCount === 0
    return {
      signal: entry.controller.signal,
      signedOn: () => this.#noteSignedOn(entry),
      begun: () => {
        entry.isTied = true
      },
      [Symbol.dispose]: () => {
        if (this.#entries.delete(entry)) this.#noteSignedOn(entry)
      },
    }
  }

  /** Nothing is behind it any more. */
  #noteSignedOn(entry: Entry): void {
    if (!entry.isSigningOn) return
    entry.isSigningOn = false
    this.#signingOnCount--
    this.#tieAll()
  }

  #tieAll(): void {
    if (!this.#signIn?.isSignedIn) return
    for (const entry of this.#entries) {
      if (entry.isSigningOn) return
      entry.isTied = true
    }
  }

  #endSession(): void {
    for (const { isTied, controller, reason } of this.#entries) if (isTied) controller.abort(reason())
  }
}
