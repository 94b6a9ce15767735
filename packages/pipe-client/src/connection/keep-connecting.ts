import { PipeClosedError, PipeNotFoundError, PipeTimeoutError } from '../errors/pipe-error.ts'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import { isAlive } from '../running/wrapper-record.ts'
import type { CallBounds } from './call-bounds.ts'
import type { NoConnection } from './connect-socket.ts'
import { wait } from './wait.ts'

/** Longest time, in milliseconds, that a pipe may be away between two clients while its process lives. */
const absenceMs = 5_000

/** What a connection breaks with that the other end has dropped; Windows calls it an end, too. */
const droppedCodes = new Set(['ECONNRESET', 'EPIPE', 'EOF'])

/** Pause before each further attempt, in milliseconds; the last one repeats. */
const pausesMs = [1, 2, 5, 10, 20, 50]

/**
 * Tries again until a connection comes about, while the wrapper's process lives.
 *
 * @param attempt makes one connection and whatever is to be done with it; called again only when none was made, or the
 *   wrapper dropped it with the request unread
 * @throws {PipeNotFoundError} when the process is gone, or its pipe is away for more than five seconds
 * @throws {PipeTimeoutError} when the time is over
 * @throws {PipeClosedError} when the wrapper drops every connection, or has and is gone
 * @throws the signal's reason when it is aborted before or between attempts
 * @throws whatever the attempt throws
 */
export async function keepConnecting<Outcome extends { readonly isConnected: true }>(
  pipe: ListedPipe,
  { timeoutMs, spentMs, signal }: CallBounds,
  attempt: (bounds: CallBounds) => Promise<Outcome | NoConnection>,
): Promise<Outcome> {
  if (spentMs > 0 && spentMs >= timeoutMs) throw new PipeTimeoutError(timeoutMs, false)
  const startedAt = performance.now()
  /** When the pipe was there last. */
  let thereAtMs = 0
  for (let count = 0, waitedMs = 0; ; count++) {
    signal?.throwIfAborted()
    const outcome = await attempt({ timeoutMs, spentMs: spentMs + waitedMs, signal })
    if (outcome.isConnected) return outcome
    const { systemCode } = outcome
    const isAbsent = systemCode === 'ENOENT' || systemCode === 'ECONNREFUSED'
    const wasDropped = droppedCodes.has(systemCode)
    if (isAbsent && !isAlive(pipe.pid)) throw new PipeNotFoundError(pipe.pid)
    if (wasDropped && !isAlive(pipe.pid)) throw new PipeClosedError(true, systemCode)
    const pauseMs = pausesMs[Math.min(count, pausesMs.length - 1)] ?? 0
    waitedMs = performance.now() - startedAt + pauseMs
    if (!isAbsent) thereAtMs = waitedMs
    if (spentMs + waitedMs >= timeoutMs || waitedMs - thereAtMs >= absenceMs) {
      if (wasDropped) throw new PipeClosedError(true, systemCode)
      throw isAbsent ? new PipeNotFoundError(pipe.pid) : new PipeTimeoutError(timeoutMs, false)
    }
    await wait(pauseMs, signal)
  }
}
