import { EngineError } from '@service-link/window-engine'
import type { Bridge } from '../bridge/bridge.ts'
import type { SessionWindow } from './keep-window.ts'
import { pause } from './pause.ts'
import type { ReturnAddress } from './return-address.ts'
import type { SignInState, SignOutOrigin } from './sign-in-state.ts'

/** What a sign-out ends. */
export interface SignOutOptions {
  readonly window: SessionWindow
  readonly bridge: Bridge
  readonly signIn: SignInState
  readonly returnAddress: ReturnAddress
  /** Gives up what follows a page's own sign-out. */
  readonly signal: AbortSignal
  /** How long a page that has signed its user out by itself is left alone, in milliseconds. Default 2,000. */
  readonly quietMs?: number
  /** The same for one that has connected and not said who is signed in, which a slow service may yet tell. Default 20,000. */
  readonly unsaidQuietMs?: number
}

/** Longest wait for the page to sign its user out, in milliseconds. */
const pageMs = 5000
/** Longest wait for a log-out that leads over other sites to come back, in milliseconds. */
const redirectMs = 60_000

/**
 * Ends the session: asks the page to end it at the service, and whatever comes of that forgets all that the web app has left
 * and loads it anew.
 *
 * @throws {EngineError} `gone` when the window is over before all was forgotten
 */
export async function signOut(by: Exclude<SignOutOrigin, 'page'>, options: SignOutOptions): Promise<void> {
  const { window, bridge, signIn, signal } = options
  // Before the page says so: it is not the page's own doing.
  signIn.end(by)
  window.setSessionOver(true)
  try {
    await bridge.signOut({ timeoutMs: pageMs, signal }).catch(() => undefined)
    await startAfresh(options)
  } finally {
    signIn.noteCleared()
  }
}

/** What follows a page's own sign-out. */
export interface PageSignOut extends Disposable {
  /**
   * Somebody else is about to sign on, in a document that takes the place of the page: clears up at once, if that is still to
   * come, so that it does not befall them.
   */
  finish(): Promise<void>
}

/**
 * Clears up after a session that has ended without the wrapper's doing, by the page or by time, once the page is quiet: a log-out
 * may lead over the sites of an identity provider and needs their cookies until it is back. Leaves alone whoever has signed in
 * meanwhile.
 */
export function followPageSignOut(options: SignOutOptions): PageSignOut {
  const { window, returnAddress, signIn, signal } = options
  let pending: { readonly hurry: AbortController; readonly done: Promise<void> } | undefined
  // Whoever signs in before it comes to that goes on with what is there.
  const stopKeeping = signIn.on('changed', ({ isSignedIn }) => isSignedIn && window.setSessionOver(false))
  const stop = signIn.on('signedOutByPage', ({ isSaid }) => {
    if (isSaid) window.setSessionOver(true)
    const hurry = new AbortController()
    const { quietMs, unsaidQuietMs = 20_000 } = options
    const done = clearUp(hurry.signal, isSaid ? quietMs : unsaidQuietMs)
      // Told by the window.
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
      stopKeeping()
    },
  }

  async function clearUp(hurry: AbortSignal, quietMs: number | undefined): Promise<void> {
    await untilQuiet({ ...options, ...(quietMs === undefined ? {} : { quietMs }) }, hurry)
    if (signIn.isSignedIn || signal.aborted) return
    if (!hurry.aborted) return startAfresh(options)
    returnAddress.forget()
    await window.clearSession()
  }
}

async function startAfresh({ window, returnAddress, signIn }: SignOutOptions): Promise<void> {
  returnAddress.forget()
  await window.clearSession()
  signIn.noteCleared()
  await window.navigate(returnAddress.current).catch(error => {
    // A service that cannot be reached is waited for.
    if (!(error instanceof EngineError) || error.fault !== 'navigation') throw error
  })
}

/** Until the page stays where it is; or, when it leaves, until the web app is back; or until there is a hurry. */
async function untilQuiet(
  { window, bridge, signIn, signal, quietMs = 2000 }: SignOutOptions,
  hurry: AbortSignal,
): Promise<void> {
  const back = new AbortController()
  /** Somebody has signed in. */
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
    await pause(quietMs, signal, back.signal, changed.signal, hurry)
    // While a page that leaves waits for the next server, calls into it are held back: one that is answered says that it stays.
    if (!hasLeft && !changed.signal.aborted && !hurry.aborted) {
      const options = { timeoutMs: redirectMs, signal: AbortSignal.any([signal, hurry]) }
      await window.call({ type: 'introduce' }, options).catch(() => undefined)
    }
    if (!hasLeft) return
    await pause(redirectMs, signal, back.signal, changed.signal, hurry)
    // It may have left for a sign-in and be back with it, which it says a moment after its hello.
    await pause(quietMs, signal, changed.signal, hurry)
  } finally {
    for (const stop of stops) stop()
  }
}
