import { PayloadKeyError, UnavailableError } from '../errors/payload-errors.ts'
import { waitFor } from '../http/wait-for.ts'
import { type PayloadAlgorithm, publicKeyAlgorithms } from './algorithms.ts'
import { fetchKeySet, KeySetError } from './fetch-key-set.ts'
import { KeyImportError } from './key-errors.ts'
import { givenKeyId } from './key-id.ts'
import { createKeySetCache } from './key-set-cache.ts'
import type { VerificationKeySource } from './key-source.ts'
import { type IgnoredKey, readKeySet } from './read-key-set.ts'
import { namesOfKey, type VerificationKey } from './verification-key.ts'

type KeySetSource = Extract<VerificationKeySource, { kind: 'jwks' }>

/** Options of {@link importKeySet}. */
export interface KeySetOptions {
  readonly clock?: () => Date
  /** In milliseconds. */
  readonly keySetTimeoutMs?: number
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

/**
 * A key set that the partner publishes. It is fetched when first needed and used for 10 minutes. A token that names a key that
 * is not in it makes it be fetched again, at most every 30 seconds; after a failure at most every 5. While it cannot be fetched
 * the one that is known is used, for an hour at most.
 *
 * @throws {KeyImportError} when the address is not https (or http on this machine), or carries a user name or password
 */
export function importKeySet(source: KeySetSource, options: KeySetOptions = {}): VerificationKey {
  const { clock = () => new Date(), keySetTimeoutMs: timeoutMs = 5000 } = options
  const { fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init) } = options
  const url = readAddress(source.url)
  const algorithms = publicKeyAlgorithms.filter(algorithm => source.algorithms?.includes(algorithm) ?? true)
  if (algorithms.length === 0)
    throw new KeyImportError('jwks', `a key set allows ${publicKeyAlgorithms.join(', ')}`)
  const cache = createKeySetCache(
    async () => readKeySet(await fetchKeySet(url, { timeoutMs, fetch }), url, algorithms),
    clock,
    timeoutMs,
  )
  return {
    kind: 'jwks',
    keyId: givenKeyId('jwks', source.kid, undefined),
    thumbprint: undefined,
    certificateDigests: [],
    algorithms,
    certificate: undefined,
    materialFor: async (algorithm, { kid }, signal) => {
      // The name under which the set itself is registered names none of its keys.
      const keyId = typeof kid === 'string' && kid !== source.kid ? kid : undefined
      const found = await withinTime(
        waitFor(
          cache.find(keys => keys.filter(key => isFitting(key, algorithm, keyId))),
          signal,
        ),
        timeoutMs * 2,
      )
      if ('failure' in found) throw unavailable(found.failure)
      if (found.keys.length === 0) throw noFittingKey(found.ignored, keyId)
      return (await Promise.all(found.keys.map(key => key.materialFor(algorithm, {})))).flat()
    },
  }
}

/**
 * Waits no longer than for the end of a request that somebody else began and for one of its own: on an edge runtime the other
 * one may have died, timer and all, with the post that began it.
 *
 * @throws {UnavailableError} when the time is over
 */
async function withinTime<Value>(found: Promise<Value>, timeoutMs: number): Promise<Value> {
  const over = new AbortController()
  const timer = setTimeout(() => over.abort(), timeoutMs)
  try {
    return await waitFor(found, over.signal)
  } catch (error) {
    if (over.signal.aborted && error === over.signal.reason)
      throw unavailable(new KeySetError(`it was not there within ${timeoutMs} ms`))
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function readAddress(address: string | URL): string {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url))))
    throw new KeyImportError('jwks', 'its address must be an absolute https URL')
  if (url.username || url.password)
    throw new KeyImportError('jwks', 'its address must not carry a user name or password')
  return url.href
}

function isFitting(key: VerificationKey, algorithm: PayloadAlgorithm, keyId: string | undefined): boolean {
  return key.algorithms.includes(algorithm) && (keyId === undefined || namesOfKey(key).includes(keyId))
}

function noFittingKey(ignored: readonly IgnoredKey[], keyId: string | undefined): PayloadKeyError {
  const named = keyId === undefined ? undefined : ignored.find(({ names }) => names.includes(keyId))
  const others =
    ignored.length > 0 ? ` Keys of it that cannot be used, such as weak ones: ${ignored.length}.` : ''
  return new PayloadKeyError(
    named
      ? `The key of the header’s kid cannot be used: ${named.problem}. Publish another one in the key set and sign with it.`
      : `The key set of the partner has no key for the header’s kid and alg.${others}`,
  )
}

function unavailable(failure: unknown): UnavailableError {
  const why = failure instanceof KeySetError ? `: ${failure.message}` : ''
  return new UnavailableError(
    `The key set of the partner could not be fetched${why}. Send a new payload in a moment; if it goes on, check its address.`,
  )
}

function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}
