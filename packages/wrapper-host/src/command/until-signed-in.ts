import { NotSignedInError } from '@service-link/protocol-core'
import type { Bridge, BridgeWaitOptions } from '../bridge/bridge.ts'
import type { FollowedSignIn } from './session-ties.ts'
import { timeLimit, unlessAborted } from './time-limit.ts'

/** What of an open window tells whether somebody is signed in. */
export interface SignInWindow {
  readonly bridge: Pick<Bridge, 'state' | 'ready'>
  /** Who is signed in; not the user of a page that is being signed out. */
  readonly signIn: FollowedSignIn
}

/** Whether a page is there whose user is signed in. */
export function isSignedIn({ bridge, signIn }: SignInWindow): boolean {
  return bridge.state.isSignedIn && signIn.isSignedIn
}

/**
 * Waits until a page is there whose user is signed in; one that is being signed out is none.
 *
 * @throws {NotSignedInError} {@link CommandTimeoutError} {@link ClosingError} as {@link Bridge.ready}
 */
export async function untilSignedIn(
  { bridge, signIn }: SignInWindow,
  { timeoutMs, signal }: BridgeWaitOptions,
): Promise<void> {
  const deadline = performance.now() + timeoutMs
  const leftMs = () => Math.max(1, deadline - performance.now())
  for (;;) {
    await bridge.ready({ timeoutMs: leftMs(), ...(signal ? { signal } : {}) })
    if (signIn.isSignedIn) return
    const changed = Promise.withResolvers<void>()
    const stop = signIn.on('changed', () => changed.resolve())
    using limit = timeLimit(leftMs(), () => new NotSignedInError(), signal)
    await unlessAborted(changed.promise, limit.signal).finally(stop)
  }
}
