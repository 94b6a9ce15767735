import { type ConnectWrapperOptions, connectWrapper, defaultTimeoutMs } from '../../client/connect-wrapper.ts'
import type { WrapperClient } from '../../client/wrapper-client.ts'
import type { CallBounds } from '../../connection/call-bounds.ts'
import type { Target } from '../command-line/command-line.ts'

/** Connects to the wrapper that a command line names; see {@link connectWrapper} for what it rejects with. */
export function connectTo(
  target: Target,
  options: Pick<ConnectWrapperOptions, 'mode' | 'signal'>,
): Promise<WrapperClient> {
  return connectWrapper({ ...connectOptionsOf(target), ...options })
}

/** How the wrapper of a command line is connected to. A time that was not given is left to `connectWrapper`, which gives a start more. */
export function connectOptionsOf({ brand, pid, timeoutMs, startIfNeeded }: Target): ConnectWrapperOptions {
  return {
    brand,
    startIfNeeded,
    // One call is one connection: what breaks it is told.
    reconnect: false,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(pid === undefined ? {} : { pid }),
  }
}

/**
 * The time of a command on a connection that has just been made. Where none was given, a command that may have had to wait for a
 * start has all of it.
 *
 * @param startedAt reading of the monotonic clock when connecting began
 */
export function boundsAfter({ timeoutMs, startIfNeeded }: Target, startedAt: number): CallBounds {
  const isNew = timeoutMs === undefined && startIfNeeded
  return {
    timeoutMs: timeoutMs ?? defaultTimeoutMs,
    spentMs: isNew ? 0 : performance.now() - startedAt,
    signal: undefined,
  }
}

/** What is left of a time, in milliseconds. */
export function leftMs({ timeoutMs, spentMs }: CallBounds): number {
  return Math.max(0, timeoutMs - spentMs)
}
