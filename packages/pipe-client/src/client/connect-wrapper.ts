import { compareVersions, formatVersion, minimumPipeVersion, parseVersion } from '@service-link/protocol-core'
import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { ClassicClient } from '../classic/classic-client.ts'
import { requestClassic } from '../classic/request-classic.ts'
import {
  PipeAmbiguousError,
  PipeNotFoundError,
  PipeReplyError,
  PipeTooOldError,
} from '../errors/pipe-error.ts'
import { type FindWrappersOptions, type FoundWrapper, findWrappers } from '../find/find-wrappers.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import type { WrapperClient } from './wrapper-client.ts'

/** Longest wait for one call, in milliseconds: longer than the 30 seconds that the wrapper waits for its web app. */
export const defaultTimeoutMs = 35_000

/** Options of {@link connectWrapper}. */
export interface ConnectWrapperOptions {
  /** Process id of the wrapper. Default: the one wrapper that is running. */
  readonly pid?: number
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand
  /**
   * Longest wait for connecting, and for each call that gives no time-out of its own, in milliseconds, `Infinity` for as
   * long as it takes. Default 35,000.
   */
  readonly timeoutMs?: number
  /** Gives connecting up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /**
   * `auto` takes the session mode where the wrapper has it, else the classic mode; `classic` never asks. Default `auto`.
   */
  readonly mode?: 'auto' | 'classic'
  /**
   * Starts the installed wrapper when none is running, with these arguments or with none. Without `true` or arguments a
   * wrapper that is not running is an error. Of no account when `pid` is given. Default false.
   */
  readonly startIfNeeded?: boolean | { readonly args: readonly string[] }
  /**
   * Whether a call that finds the connection ended connects again: only to the process of `pid` when that is given, else
   * to the one wrapper that runs then. Default true.
   */
  readonly reconnect?: boolean
  /** Most calls that are with the wrapper at a time; others wait. Default 64, in the classic mode 8; at least 1. */
  readonly maxInFlight?: number
}

/**
 * Finds a running wrapper, makes sure that it answers and is new enough, and returns a client bound to it.
 *
 * @throws {PipeNotFoundError} when no wrapper is running, or none as this process
 * @throws {PipeAmbiguousError} when several are running and `pid` is not given
 * @throws {PipeTooOldError} when the wrapper is older than 2.1.4.19787 (specification 8)
 * @throws whatever {@link WrapperClient} lists
 * @example
 * ```ts
 * import { connectWrapper } from '@service-link/pipe-client'
 *
 * const wrapper = await connectWrapper()
 * await wrapper.selectPerson({ customId: '4711', firstname: 'Kari', lastname: 'Nordmann' })
 * ```
 */
export async function connectWrapper(options: ConnectWrapperOptions = {}): Promise<WrapperClient> {
  const { brand = defaultBrand, timeoutMs = defaultTimeoutMs, signal } = options
  signal?.throwIfAborted()
  const startedAt = performance.now()
  const wrapper = await chooseWrapper(options.pid, { brand, timeoutMs, ...(signal ? { signal } : {}) })
  const spentMs = performance.now() - startedAt
  assertNewEnough(await requestClassic(wrapper, 'version', undefined, { timeoutMs, spentMs, signal }))
  return new ClassicClient(wrapper, timeoutMs)
}

async function chooseWrapper(
  pid: number | undefined,
  options: FindWrappersOptions & { readonly brand: Brand },
): Promise<FoundWrapper> {
  const { brand } = options
  if (pid !== undefined) return { pid, address: currentPlatform.addressOf(brand, pid) }
  const [first, ...others] = await findWrappers(options)
  if (!first) throw new PipeNotFoundError()
  if (others.length > 0) throw new PipeAmbiguousError([first, ...others].map(found => found.pid))
  return first
}

function assertNewEnough(text: string): void {
  const version = readVersion(text)
  if (compareVersions(version, minimumPipeVersion) < 0)
    throw new PipeTooOldError(formatVersion(version), formatVersion(minimumPipeVersion))
}

function readVersion(text: string) {
  try {
    return parseVersion(text)
  } catch {
    throw new PipeReplyError('The wrapper told a version that is not four numbers.')
  }
}
