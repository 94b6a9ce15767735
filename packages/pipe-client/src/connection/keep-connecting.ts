import { Deadline, pause } from '@service-link/protocol-core/time'
import { PipeClosedError, PipeNotFoundError, PipeTimeoutError } from '../errors/pipe-error.ts'
import { isAlive } from '../running/wrapper-record.ts'

/** An attempt without a connection, which another attempt may get. */
export interface NoConnection {
  readonly isConnected: false
  readonly systemCode: string
}

/** Longest time, in milliseconds, that a pipe may be missing between two clients while its process lives. */
const absenceMs = 5_000

/** Codes of a connection that the wrapper dropped. Windows also calls it an end. */
const droppedCodes = new Set(['ECONNRESET', 'EPIPE', 'EOF'])

/** Pause before each further attempt, in milliseconds. The last one repeats. */
const pausesMs = [1, 2, 5, 10, 20, 50]

/**
 * Tries again until there is a connection, while the process of the wrapper lives.
 *
 * @param attempt connects, and does the work of the connection. It is called again only if there was no connection, or the
 *   wrapper dropped the connection with the request unread
 * @param signal ends the attempts. Default: the signal of the deadline
 */
export async function keepConnecting<Outcome extends { readonly isConnected: true }>(
  pid: number,
  deadline: Deadline,
  attempt: () => Promise<Outcome | NoConnection>,
  signal = deadline.signal,
): Promise<Outcome> {
  let absence: Deadline | undefined
  for (let count = 0; ; count++) {
    signal?.throwIfAborted()
    const outcome = await attempt()
    if (outcome.isConnected) return outcome
    const { systemCode } = outcome
    const isAbsent = systemCode === 'ENOENT' || systemCode === 'ECONNREFUSED'
    const wasDropped = droppedCodes.has(systemCode)
    if (isAbsent && !isAlive(pid)) throw new PipeNotFoundError(pid)
    if (wasDropped && !isAlive(pid)) throw new PipeClosedError(true, systemCode)
    absence = isAbsent ? (absence ?? new Deadline(absenceMs)) : undefined
    const pauseMs = pausesMs[Math.min(count, pausesMs.length - 1)] ?? 0
    if (pauseMs >= Math.min(deadline.leftMs, absence?.leftMs ?? absenceMs)) {
      if (wasDropped) throw new PipeClosedError(true, systemCode)
      if (!isAbsent) throw new PipeTimeoutError(deadline.timeoutMs, false)
      const sentence = `Process ${pid} runs, and nothing listens at its pipe: it is ending, is stuck, or is no wrapper.`
      throw new PipeNotFoundError(pid, [], sentence)
    }
    await pause(pauseMs, signal)
  }
}
