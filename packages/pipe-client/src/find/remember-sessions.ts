import type { PipePlatform } from '../platform/pipe-platform.ts'
import type { TellSession } from './choose-wrapper.ts'

/**
 * Asks the operating system for the login session of each process once, which may take it a while, and remembers the answer: for as
 * long as one search for a wrapper lasts.
 */
export function rememberSessions({ loginSessionOf }: Pick<PipePlatform, 'loginSessionOf'>): TellSession {
  const told = new Map<number, ReturnType<TellSession>>()
  return (pid, { timeoutMs, spentMs, signal }) => {
    const session =
      told.get(pid) ?? loginSessionOf(pid, { timeoutMs: Math.max(0, timeoutMs - spentMs), signal })
    told.set(pid, session)
    return session
  }
}
