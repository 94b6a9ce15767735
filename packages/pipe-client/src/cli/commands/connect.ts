import { type ConnectWrapperOptions, connectWrapper, defaultTimeoutMs } from '../../client/connect-wrapper.ts'
import type { WrapperClient } from '../../client/wrapper-client.ts'
import type { Target } from '../command-line/command-line.ts'

/** Connects to the wrapper that a command line names; see {@link connectWrapper} for what it rejects with. */
export function connectTo(
  { brand, pid, timeoutMs = defaultTimeoutMs, startIfNeeded }: Target,
  options: Pick<ConnectWrapperOptions, 'mode' | 'signal'>,
): Promise<WrapperClient> {
  return connectWrapper({
    brand,
    timeoutMs,
    startIfNeeded,
    // One call is one connection: what breaks it is told.
    reconnect: false,
    ...(pid === undefined ? {} : { pid }),
    ...options,
  })
}

/** How much of a command line's time is left, in milliseconds, of what began at this reading of the monotonic clock. */
export function leftMs({ timeoutMs = defaultTimeoutMs }: Target, startedAt: number): number {
  return Math.max(0, timeoutMs - (performance.now() - startedAt))
}
