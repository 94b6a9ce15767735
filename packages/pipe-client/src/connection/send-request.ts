import { encodeFrame, maxReplyFrameBytes, maxRequestFrameBytes } from '@service-link/protocol-core/frame'
import { PipeClosedError, PipeNotFoundError, PipeTimeoutError } from '../errors/pipe-error.ts'
import type { ListedPipe } from '../platform/pipe-platform.ts'
import { exchange } from './exchange.ts'
import { isAlive } from './is-alive.ts'
import { boundTimeout } from './timeout.ts'
import { wait } from './wait.ts'

/** Longest time, in milliseconds, that a pipe may be away between two clients while its process lives. */
const absenceMs = 5_000

/** Pause before each further attempt, in milliseconds; the last one repeats. */
const pausesMs = [1, 2, 5, 10, 20, 50]

/** Bounds of one {@link sendRequest}. */
export interface SendOptions {
  /** Longest wait for the whole call, in milliseconds. */
  readonly timeoutMs: number
  /** How much of it is over already, in milliseconds. Default 0. */
  readonly spentMs?: number
  readonly signal: AbortSignal | undefined
}

/**
 * Sends one request over a connection of its own. A connection that could not be made, or that the wrapper closed with
 * the request unread, is tried again while the wrapper's process lives; what a wrapper may have read is not sent twice.
 *
 * @returns the reply's body, or `undefined` when the wrapper closed the connection without one
 * @throws {RangeError} when the time-out is negative or not a number
 * @throws {FrameError} when the request is longer than a wrapper accepts
 * @throws {PipeNotFoundError} when the process is gone, or its pipe is away for more than five seconds
 * @throws whatever one connection throws, see {@link exchange}
 */
export async function sendRequest(
  pipe: ListedPipe,
  request: string,
  options: SendOptions,
): Promise<Uint8Array | undefined> {
  const timeoutMs = boundTimeout(options.timeoutMs)
  const { signal, spentMs = 0 } = options
  signal?.throwIfAborted()
  const frame = encodeFrame(request, { maxFrameBytes: maxRequestFrameBytes })
  if (spentMs > 0 && spentMs >= timeoutMs) throw new PipeTimeoutError(timeoutMs, false)
  const startedAt = performance.now()
  /** When the pipe was there last. */
  let thereAtMs = 0
  for (let attempt = 0, waitedMs = 0; ; attempt++) {
    const outcome = await exchange(pipe.address, frame, {
      timeoutMs,
      spentMs: spentMs + waitedMs,
      maxFrameBytes: maxReplyFrameBytes,
      signal,
    })
    if (outcome.isConnected) return outcome.body
    const { systemCode } = outcome
    const isAbsent = systemCode === 'ENOENT' || systemCode === 'ECONNREFUSED'
    const wasDropped = systemCode === 'ECONNRESET' || systemCode === 'EPIPE'
    if (isAbsent && !isAlive(pipe.pid)) throw new PipeNotFoundError(pipe.pid)
    if (wasDropped && !isAlive(pipe.pid)) throw new PipeClosedError(true, systemCode)
    const pauseMs = pausesMs[Math.min(attempt, pausesMs.length - 1)] ?? 0
    waitedMs = performance.now() - startedAt + pauseMs
    if (!isAbsent) thereAtMs = waitedMs
    if (spentMs + waitedMs >= timeoutMs || waitedMs - thereAtMs >= absenceMs) {
      if (wasDropped) throw new PipeClosedError(true, systemCode)
      throw isAbsent ? new PipeNotFoundError(pipe.pid) : new PipeTimeoutError(timeoutMs, false)
    }
    await wait(pauseMs, signal)
  }
}
