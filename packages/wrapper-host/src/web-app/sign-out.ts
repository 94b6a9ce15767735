import { ClosingError } from '@service-link/protocol-core/errors'
import { Deadline, pause } from '@service-link/protocol-core/time'
import * as z from 'zod/mini'
import type { ReportEvent } from '../log/events.ts'
import type { SessionWindow } from '../window/keep-window.ts'
import type { ReturnAddress } from '../window/return-address.ts'
import type { Bridge } from './bridge.ts'
import { endReasons, type SignInState } from './user-session.ts'

interface SignOutOptions {
  readonly window: SessionWindow
  readonly bridge: Bridge
  readonly signIn: SignInState
  readonly returnAddress: ReturnAddress
  readonly unsaved: UnsavedKeeper
  /** Cancels the clear-up after a page's own sign-out. */
  readonly signal: AbortSignal
  /** Shortest quiet time of a page that has signed its user out, in milliseconds. Default 2,000. */
  readonly quietMs?: number
  /** The same for a page that waits for a slow service and has not yet said who is signed in. Default 20,000. */
  readonly unsaidQuietMs?: number
}

/** Longest wait for the page to sign its user out, and for it to take back what was not saved, in milliseconds. */
const pageMs = 5000
/** Longest wait for the return of a log-out over other sites, in milliseconds. */
const redirectMs = 60_000

/**
 * Ends the session: asks the page to end it at the service, then in any case removes all data of the web app and loads it anew.
 *
 * @throws {EngineError} `gone` when the window ends before the data is removed
 */
export async function signOut(by: 'tray' | 'integrator' | 'pipe', options: SignOutOptions): Promise<void> {
  const { window, bridge, signIn, unsaved } = options
  const { isSignedIn } = signIn
  // First of all: the page's own message about it must not count as the page's sign-out.
  signIn.end(by)
  window.setSessionOver(true)
  try {
    // One that loads anew has what is not saved.
    if (isSignedIn) await untilLoaded(bridge)
    const asked = bridge.ask('signOut', { reason: endReasons[by] }, pageMs)
    unsaved.keep((await asked.catch(() => undefined))?.value)
    await startAfresh(options)
  } finally {
    signIn.noteCleared({ isPageNew: false })
  }
}

/**
 * Ends the session of a wrapper that closes: asks the page to end it at the service. The window cannot be closed before; all its data
 * go with it. Never rejects; a page that hangs delays the end by at most 5 seconds.
 *
 * @param underWay a sign-out that has begun: the page is asked already
 */
export async function signOutAtLast(
  { window, bridge, signIn }: SignOutOptions,
  underWay: Promise<void> | undefined,
): Promise<void> {
  const { isSignedIn } = signIn
  signIn.end('pipe')
  window.setSessionOver(true)
  window.setMinimiseOnClose(true)
  const asked =
    underWay ?? (isSignedIn ? bridge.ask('signOut', { reason: endReasons.pipe }, pageMs) : undefined)
  await new Deadline(pageMs).waitFor(Promise.resolve(asked), () => new ClosingError()).catch(() => undefined)
}

/** What the page's `signOut` hands over. */
const handedOver = z.object({
  unsaved: z.object({ user: z.string().check(z.minLength(1)), value: z.unknown() }),
})

/** Most text of one user's unsaved work that is kept, as JSON in UTF-16 code units. */
const maxLength = 1024 * 1024

/**
 * Keeps what a user had not saved when a program ended the session, until that user signs in again: in memory alone, and nothing of it
 * is in the window meanwhile.
 */
export class UnsavedKeeper {
  readonly #kept = new Map<string, unknown>()
  readonly #report: ReportEvent

  constructor(report: ReportEvent) {
    this.#report = report
  }

  /** @param answer of the page's `signOut`; anything else than unsaved work is ignored */
  keep(answer: unknown): void {
    const { unsaved } = handedOver.safeParse(answer).data ?? {}
    if (unsaved?.value === undefined) return
    const { length } = JSON.stringify(unsaved.value)
    if (length > maxLength) this.#report({ type: 'unsaved-lost', length, most: maxLength })
    else this.#kept.set(unsaved.user, unsaved.value)
  }

  /** Gives it back to a page whose user has signed in. If it does not take it, the next document of that user gets it. */
  async giveBack(bridge: Bridge, user: string): Promise<void> {
    if (!this.#kept.has(user)) return
    const value = this.#kept.get(user)
    const isTaken = await bridge.ask('restoreUnsaved', { value }, pageMs).catch(() => undefined)
    if (isTaken && this.#kept.get(user) === value) this.#kept.delete(user)
  }
}

/** Clear-up after a page's own sign-out. */
interface PageSignOut extends Disposable {
  /** Does a pending clear-up at once. Call it before another user signs on, whose data it must not remove. */
  finish(): Promise<void>
}

/**
 * Clears up after a session that the page or a time limit has ended, once the page is quiet: a log-out may lead over the sites of
 * an identity provider and needs their cookies until its return. A user who has signed in meanwhile is left alone.
 */
export function followPageSignOut(options: SignOutOptions): PageSignOut {
  const { window, bridge, returnAddress, signIn, unsaved, signal } = options
  let pending: { readonly hurry: AbortController; readonly done: Promise<void> } | undefined
  // A user who signs in before the clear-up keeps the data.
  const stopKeeping = signIn.on('changed', ({ isSignedIn }) => isSignedIn && window.setSessionOver(false))
  const stopTaking = bridge.on('signedOut', told => unsaved.keep({ unsaved: told.unsaved }))
  const stop = signIn.on('signedOutByPage', ({ isSaid }) => {
    if (isSaid) window.setSessionOver(true)
    const hurry = new AbortController()
    const { quietMs, unsaidQuietMs = 20_000 } = options
    const done = clearUp(hurry.signal, isSaid ? quietMs : unsaidQuietMs)
      // The window reports the failure.
      .catch(() => undefined)
      .finally(() => {
        if (pending?.hurry === hurry) pending = undefined
      })
    pending = { hurry, done }
  })
  return {
    async finish() {
      pending?.hurry.abort()
      await pending?.done
    },
    [Symbol.dispose]() {
      stop()
      stopTaking()
      stopKeeping()
    },
  }

  async function clearUp(hurry: AbortSignal, quietMs: number | undefined): Promise<void> {
    await untilQuiet({ ...options, ...(quietMs === undefined ? {} : { quietMs }) }, hurry)
    if (signIn.isSignedIn || signal.aborted) return
    if (!hurry.aborted) return startAfresh(options)
    returnAddress.forget()
    await window.endSession()
  }
}

async function startAfresh({ window, returnAddress, signIn }: SignOutOptions): Promise<void> {
  returnAddress.forget()
  await window.endSession()
  signIn.noteCleared({ isPageNew: true })
}

/** Waits until the page stays at its address, the web app is back, or `hurry` aborts. */
async function untilQuiet(
  { window, bridge, signIn, signal, quietMs = 2000 }: SignOutOptions,
  hurry: AbortSignal,
): Promise<void> {
  const back = new AbortController()
  /** Aborts when somebody signs in. */
  const changed = new AbortController()
  let hasLeft = false
  const stops = [
    window.on('unloading', () => {
      hasLeft = true
    }),
    bridge.on('stateChanged', ({ isLoaded }) => hasLeft && isLoaded && back.abort()),
    signIn.on('changed', () => changed.abort()),
  ]
  try {
    await pauseUntil(quietMs, signal, back.signal, changed.signal, hurry)
    // The browser holds back calls into a page that leaves. An answer shows that the page stays.
    if (!hasLeft && !changed.signal.aborted && !hurry.aborted) {
      const options = { timeoutMs: redirectMs, signal: AbortSignal.any([signal, hurry]) }
      await window.call({ type: 'introduce' }, options).catch(() => undefined)
    }
    if (!hasLeft) return
    await pauseUntil(redirectMs, signal, back.signal, changed.signal, hurry)
    // After a return from a sign-in, the page says so a moment after its hello.
    await pauseUntil(quietMs, signal, changed.signal, hurry)
  } finally {
    for (const stop of stops) stop()
  }
}

/** Waits until a page has connected, if only for as long as it may take to answer. */
async function untilLoaded(bridge: Bridge): Promise<void> {
  const loaded = new AbortController()
  const stop = bridge.on('stateChanged', ({ isLoaded }) => isLoaded && loaded.abort())
  if (!bridge.state.isLoaded) await pauseUntil(pageMs, loaded.signal)
  stop()
}

/** Waits for a time, or until one of the signals aborts. */
async function pauseUntil(ms: number, ...signals: readonly AbortSignal[]): Promise<void> {
  await pause(ms, AbortSignal.any([...signals])).catch(() => undefined)
}
