import type { Brand } from '@service-link/protocol-core/brand'
import { awaitWithin } from '../connection/await-within.ts'
import type { CallBounds } from '../connection/call-bounds.ts'
import { mapAtMost } from '../connection/map-at-most.ts'
import { wait } from '../connection/wait.ts'
import {
  PipeError,
  PipeNotFoundError,
  PipeRefusedError,
  PipeUnprovenError,
  PipeUnsupportedError,
} from '../errors/pipe-error.ts'
import { challengeWrapper, missingKey, type WrapperChallenge } from '../session/challenge-wrapper.ts'
import { openSession } from '../session/open-session.ts'
import type { FoundWrapper } from './find-wrappers.ts'

/**
 * Longest wait for all of them together, in milliseconds: an honest wrapper that is slow must not be left out, or a person appears in
 * another one; and nobody who is silent holds the search up for ever.
 */
const proofTimeoutMs = 10_000

/** First pause before one that was busy is asked again, in milliseconds; it doubles. */
const firstPauseMs = 100

/** Most that are asked at a time: they only wait. */
const maxAsked = 256

/** What came of {@link proveWrappers}. */
export interface ProvenWrappers {
  /** In the order in which they were found. */
  readonly proven: readonly FoundWrapper[]
  /** Those whose answer was none that a wrapper of this user gives; of the rest it is not known. */
  readonly refuted: readonly FoundWrapper[]
  /** Why there is none; `undefined` when there is one. One that may pass comes before an incident. */
  readonly failure: PipeError | undefined
}

/**
 * Asks whatever was found on the pipes of this brand to prove to be a wrapper of this user (design: pipe protocol), and tells it
 * nothing else. Who says that it is busy, or ends the connection, is asked again. All have the same time together, ten seconds and half of
 * what the caller has left at most, so that something can be done with what has proven itself by then. Who is silent or busy until then
 * has not proven it.
 *
 * @param found at least one
 * @returns nothing where proof is not needed, or cannot be asked for as there is no key
 * @throws {PipeDeniedError} when the key cannot be read, or trusted
 * @throws {PipeTimeoutError} when the time is over before the key has been read
 * @throws the signal's reason when it is aborted
 */
export async function proveWrappers(
  brand: Brand,
  found: readonly FoundWrapper[],
  bounds: CallBounds,
): Promise<ProvenWrappers | undefined> {
  const startedAt = performance.now()
  const challenge = await awaitWithin(challengeWrapper(brand), bounds, missingKey)
  if (!challenge) return undefined
  const askedAt = performance.now()
  const leftMs = bounds.timeoutMs - bounds.spentMs - (askedAt - startedAt)
  const deadline = askedAt + Math.min(proofTimeoutMs, Math.max(0, leftMs) / 2)
  const failures = await mapAtMost(maxAsked, found, wrapper =>
    failureUntil(deadline, wrapper, challenge, bounds.signal),
  )
  const proven = found.filter((_, index) => failures[index] === undefined)
  const refuted = found.filter((_, index) => failures[index] instanceof PipeUnprovenError)
  if (proven.length > 0) return { proven, refuted, failure: undefined }
  const known = failures.filter(failure => failure !== undefined)
  const here = known.filter(failure => !(failure instanceof PipeNotFoundError))
  return { proven, refuted, failure: here.find(({ shouldRetry }) => shouldRetry) ?? here[0] ?? known[0] }
}

/** Why one has not proven itself until then. */
async function failureUntil(
  deadline: number,
  wrapper: FoundWrapper,
  challenge: WrapperChallenge,
  signal: AbortSignal | undefined,
): Promise<PipeError | undefined> {
  const leftMs = () => Math.max(0, deadline - performance.now())
  for (let pauseMs = firstPauseMs; ; pauseMs *= 2) {
    const failure = await failureOf(wrapper, challenge, { timeoutMs: leftMs(), spentMs: 0, signal })
    if (!failure || !mayPass(failure) || leftMs() <= pauseMs) return failure
    await wait(pauseMs, signal)
  }
}

/** Whether the same question may be answered a moment later. Refused is only who is busy or closing. */
function mayPass(failure: PipeError): boolean {
  return failure.shouldRetry || failure instanceof PipeRefusedError
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
