import type { Bridge } from '../bridge/bridge.ts'
import type { EngineWindow } from '../window/engine.ts'
import { EngineError } from '../window/engine-error.ts'
import { pause } from './pause.ts'
import type { ReturnAddress } from './return-address.ts'
import type { SignInState, SignOutOrigin } from './sign-in-state.ts'

/** What a sign-out ends. */
export interface SignOutOptions {
  readonly window: EngineWindow
  readonly bridge: Bridge
  readonly signIn: SignInState
  readonly returnAddress: ReturnAddress
  /** Gives up what follows a page's own sign-out. */
  readonly signal: AbortSignal
  /** How long a page that has signed its user out by itself is left alone, in milliseconds. Default 2,000. */
  readonly quietMs?: number
}

/** Longest wait for the page to sign its user out, in milliseconds. */
const pageMs = 5000
/** Longest wait for a log-out that leads over other sites to come back, in milliseconds. */
const redirectMs = 60_000

/**
 * Ends the session: asks the page to end it at the service, and whatever comes of that forgets all that the web app has left
 * and loads it anew.
 *
 * @throws {EngineError} when cookies and storage could not be cleared
 */
export async function signOut(by: Exclude<SignOutOrigin, 'page'>, options: SignOutOptions): Promise<void> {
  const { bridge, signIn, signal } = options
  // Before the page says so: it is not the page's own doing.
  signIn.end(by)
  await bridge.signOut({ timeoutMs: pageMs, signal }).catch(() => undefined)
  await startAfresh(options)
}

/**
 * Clears up after a page that has signed its user out by itself, once it is quiet: a log-out may lead over the sites of an
 * identity provider and needs their cookies until it is back. Leaves alone whoever has signed in meanwhile.
 */
export function followPageSignOut(options: SignOutOptions): Disposable {
  const { signIn, signal } = options
  const stop = signIn.on('signedOutByPage', () => {
    void untilQuiet(options)
      .then(() => (signIn.isSignedIn || signal.aborted ? undefined : startAfresh(options)))
      .catch(() => undefined)
  })
  return { [Symbol.dispose]: stop }
}

async function startAfresh({ window, returnAddress }: SignOutOptions): Promise<void> {
  returnAddress.forget()
  await window.clearSession()
  await window.navigate(returnAddress.current).catch(error => {
    // A service that cannot be reached is waited for.
    if (!(error instanceof EngineError) || error.fault !== 'navigation') throw error
  })
}

/** Until the page stays where it is; or, when it leaves, until the web app is back. */
async function untilQuiet({ window, bridge, signIn, signal, quietMs = 2000 }: SignOutOptions): Promise<void> {
  const back = new AbortController()
  let hasLeft = false
  const stops = [
    window.on('unloading', () => {
      hasLeft = true
    }),
    bridge.on('stateChanged', ({ isLoaded }) => hasLeft && isLoaded && back.abort()),
    signIn.on('changed', () => back.abort()),
  ]
  try {
    await pause(quietMs, signal, back.signal)
    // While a page that leaves waits for the next server, calls into it are held back: one that is answered says that it stays.
    if (!hasLeft && !back.signal.aborted)
      await window.call({ type: 'introduce' }, { timeoutMs: redirectMs, signal }).catch(() => undefined)
    if (hasLeft) await pause(redirectMs, signal, back.signal)
  } finally {
    for (const stop of stops) stop()
  }
}
