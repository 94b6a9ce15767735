import type { Brand } from '@service-link/protocol-core/brand'
import type { CallBounds } from '../connection/call-bounds.ts'
import { mapAtMost } from '../connection/map-at-most.ts'
import { PipeError, PipeNotFoundError, PipeUnsupportedError } from '../errors/pipe-error.ts'
import { challengeWrapper, type WrapperChallenge } from '../session/challenge-wrapper.ts'
import { openSession } from '../session/open-session.ts'
import type { FoundWrapper } from './find-wrappers.ts'

/** Longest wait for one of several, in milliseconds: nobody who is silent holds the search up for long. */
const proofTimeoutMs = 3_000

/** Most that are asked at a time. */
const maxAsked = 32

/** What came of {@link proveWrappers}. */
export interface ProvenWrappers {
  /** In the order in which they were found. */
  readonly proven: readonly FoundWrapper[]
  /** Why there is none; `undefined` when there is one. One that may pass comes before an incident. */
  readonly failure: PipeError | undefined
}

/**
 * Asks whatever was found on the pipes of this brand to prove to be a wrapper of this user (design: pipe protocol), and tells it
 * nothing else. Who says that it is busy, or is silent, has not proven it.
 *
 * @param found at least one
 * @returns nothing where proof is not needed, or cannot be asked for as there is no key
 * @throws {PipeDeniedError} when the key cannot be read, or trusted
 * @throws the signal's reason when it is aborted
 */
export async function proveWrappers(
  brand: Brand,
  found: readonly FoundWrapper[],
  bounds: CallBounds,
): Promise<ProvenWrappers | undefined> {
  const challenge = await challengeWrapper(brand)
  if (!challenge) return undefined
  const startedAt = performance.now()
  const failures = await mapAtMost(maxAsked, found, wrapper => {
    const leftMs = bounds.timeoutMs - bounds.spentMs - (performance.now() - startedAt)
    const timeoutMs = Math.max(0, Math.min(leftMs, proofTimeoutMs))
    return failureOf(wrapper, challenge, { timeoutMs, spentMs: 0, signal: bounds.signal })
  })
  const proven = found.filter((_, index) => failures[index] === undefined)
  if (proven.length > 0) return { proven, failure: undefined }
  const known = failures.filter(failure => failure !== undefined)
  const here = known.filter(failure => !(failure instanceof PipeNotFoundError))
  return { proven, failure: here.find(({ shouldRetry }) => shouldRetry) ?? here[0] ?? known[0] }
}

/** Why one has not proven itself. A proof holds the process id, so that the same question may be put to all. */
async function failureOf(
  wrapper: FoundWrapper,
  challenge: WrapperChallenge,
  bounds: CallBounds,
): Promise<PipeError | undefined> {
  try {
    const options = { maxInFlight: undefined, timeoutMs: bounds.timeoutMs, reconnect: false, challenge }
    const outcome = await openSession(wrapper, options, bounds)
    if (typeof outcome === 'object') await outcome.channel.close()
    return undefined
  } catch (error) {
    if (bounds.signal?.aborted || !(error instanceof PipeError)) throw error
    // It is told to whoever connects.
    return error instanceof PipeUnsupportedError ? undefined : error
  }
}
