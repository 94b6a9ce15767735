import type { PipePlatform } from '../platform/pipe-platform.ts'
import type { TellSessions } from './choose-wrapper.ts'

/**
 * Asks the operating system for the login session of each process once, which may take it a while, and remembers the answer: for as
 * long as one search for a wrapper lasts.
 */
export function rememberSessions({ loginSessionsOf }: Pick<PipePlatform, 'loginSessionsOf'>): TellSessions {
  const told = new Map<number, string | undefined>()
  return async (pids, { timeoutMs, spentMs, signal }) => {
    const unknown = pids.filter(pid => !told.has(pid))
    if (unknown.length > 0) {
      const sessions = await loginSessionsOf(unknown, { timeoutMs: Math.max(0, timeoutMs - spentMs), signal })
      for (const pid of unknown) told.set(pid, sessions.get(pid))
    }
    return pids.map(pid => told.get(pid))
  }
}
