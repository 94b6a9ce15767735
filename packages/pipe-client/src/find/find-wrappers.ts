import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { assertOptions } from '../connection/call-bounds.ts'
import { isServed } from '../connection/is-served.ts'
import { mapAtMost } from '../connection/map-at-most.ts'
import { boundTimeout } from '../connection/timeout.ts'
import { currentPlatform } from '../platform/current-platform.ts'

/** A wrapper that is running. */
export interface FoundWrapper {
  /** Process id of the wrapper. */
  readonly pid: number
  /** Where its pipe is opened: `\\.\pipe\…` on Windows, the path of a socket elsewhere. */
  readonly address: string
}

/** Options of {@link findWrappers}. */
export interface FindWrappersOptions {
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand
  /** Longest wait for the pipes to open, all together, in milliseconds; one that takes longer counts as running. Default and at most 2,000. */
  readonly timeoutMs?: number
  /** Gives the search up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** See {@link FindWrappersOptions.timeoutMs}. */
const openTimeoutMs = 2_000

/** Most pipes that are opened at a time: other users may make as many names as they like. */
const maxOpening = 256

/**
 * Finds the running wrappers that this user may command (specification 4.5). Sockets that a wrapper left behind are not among them,
 * nor, on Linux and macOS, those of other users. **On Windows a pipe of another user is, where that user lets everybody write to it**:
 * it is found out by the proof that `connectWrapper` asks for before it sends anything.
 *
 * @returns ordered by process id
 * @throws {ParameterError} when an option is of another kind
 * @throws {RangeError} when the time-out is negative or not a number
 * @throws {PipeDeniedError} when this user may not list pipes
 * @example
 * ```ts
 * import { findWrappers } from '@service-link/pipe-client'
 *
 * for (const { pid, address } of await findWrappers()) console.log(pid, address)
 * ```
 */
export async function findWrappers(options: FindWrappersOptions = {}): Promise<readonly FoundWrapper[]> {
  assertOptions(options)
  const { brand = defaultBrand, timeoutMs = openTimeoutMs, signal } = options
  const longestMs = Math.min(boundTimeout(timeoutMs), openTimeoutMs)
  signal?.throwIfAborted()
  const pipes = await currentPlatform.listPipes(brand)
  const deadline = performance.now() + longestMs
  const served = await mapAtMost(maxOpening, pipes, ({ address }) =>
    isServed(address, { timeoutMs: Math.max(0, deadline - performance.now()), signal }),
  )
  return pipes.filter((_, index) => served[index]).sort((a, b) => a.pid - b.pid)
}
