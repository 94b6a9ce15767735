import type { Target } from '../command-line/command-line.ts'
import { connectTo } from './connect.ts'

/**
 * Finds out what a call is waiting for, as far as the wrapper tells on a connection of its own.
 *
 * @param pid the wrapper that was found; `undefined` while it is being looked for, or started
 * @returns a clause without a full stop; says less when the wrapper tells nothing
 */
export async function describeWait(
  target: Target,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (pid === undefined) return target.startIfNeeded ? 'Starting the wrapper' : 'Looking for the wrapper'
  try {
    await using client = await connectTo({ ...target, pid, startIfNeeded: false }, { signal })
    const { isLoaded, isSignedIn } = await client.status({ signal })
    if (!isLoaded) return 'Waiting for the web app to load'
    return isSignedIn ? 'Waiting for the web app' : 'Waiting for somebody to sign in'
  } catch {
    // Of no account: the call itself tells what is wrong.
    return 'Waiting for the wrapper'
  }
}
