import { CancelledError } from '@service-link/protocol-core'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { waitFor } from '@service-link/protocol-core/time'
import type { HostedWindow } from '../web-app/open-web-app.ts'

/** The user of a launch has signed out, or the session ran out, before the launch was carried out. The next user's is not used. */
export class SignedOutError extends ServiceLinkError<'ERR_SIGNED_OUT'> {
  readonly code = 'ERR_SIGNED_OUT'

  constructor() {
    super('The user of the web app has signed out before this was done.')
  }
}

/** Makes the error of a command whose user signs out while the page works for it. */
export function signedOutAtWork(): CancelledError {
  return new CancelledError(
    'The user of the web app has signed out before it answered. Whether the command had an effect is not known.',
  )
}

type SignedInWindow = Pick<HostedWindow, 'bridge' | 'signIn'>

/** Whether the present page has a signed-in user. The user of a page that is being signed out does not count. */
export function isSignedIn({ bridge, signIn }: SignedInWindow): boolean {
  return bridge.state.isSignedIn && signIn.isSignedIn
}

/** Waits for a page with a signed-in user. */
export async function untilSignedIn(opened: SignedInWindow, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = () => isSignedIn(opened) && resolve()
  const stops = [opened.bridge.on('stateChanged', look), opened.signIn.on('changed', look)]
  look()
  try {
    await waitFor(promise, signal)
  } finally {
    for (const stop of stops) stop()
  }
}

/** Ties one piece of work to a session, until it is disposed. */
export interface SessionTie extends Disposable {
  /** Aborts at the end of the session that the work belongs to. */
  readonly signal: AbortSignal
  /** Notes that the work's own employee is signed on. The work belongs to that session now. */
  signedOn(): void
  /** Notes that the page works for it. The work belongs to the present session now. */
  begun(): void
}

interface Entry {
  /** Whether the work first signs an employee on. */
  isSigningOn: boolean
  isTied: boolean
  readonly controller: AbortController
  /** Makes the reason with which the signal aborts. */
  readonly reason: () => Error
}

/**
 * Ties work to the session of one user, so that none is done for another. Work that is taken while somebody is signed in belongs
 * to that session, other work to the next one; work behind a sign-on of an employee belongs to that employee's session.
 */
export class SessionTies {
  readonly #entries = new Set<Entry>()
  #signingOnCount = 0
  #signIn: HostedWindow['signIn'] | undefined

  /** Follows who is signed in; until then, nobody is. */
  follow(signIn: HostedWindow['signIn']): void {
    this.#signIn = signIn
    signIn.on('changed', ({ isSignedIn }) => (isSignedIn ? this.#tieAll() : this.#endSession()))
    this.#tieAll()
  }

  /** Adds a piece of work behind the others. */
  add({ isSigningOn, reason }: Pick<Entry, 'isSigningOn' | 'reason'>): SessionTie {
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
