import { waitFor } from '@service-link/protocol-core/time'
import { KeyImportError } from '../errors/key-errors.ts'
import { PayloadKeyError, UnavailableError } from '../errors/refusals.ts'
import { DocumentError, fetchDocument, isSecureUrl } from '../http/fetch-document.ts'
import { parseJson } from '../http/page-text.ts'
import { type PayloadAlgorithm, publicKeyAlgorithms } from './algorithms.ts'
import { importPublicJwk } from './import-jwk.ts'
import { givenKeyId } from './jwk.ts'
import {
  type ImportVerificationKeyOptions,
  namesOfKey,
  type VerificationKey,
  type VerificationKeySource,
} from './verification-key.ts'

/** Time for which a set is used without another request, in milliseconds. A removed key is refused after it. */
const freshMs = 10 * 60_000

/** Time for which a set is used while it cannot be fetched again, in milliseconds. */
const staleMs = 60 * 60_000

/** Shortest time between two requests after a success, in milliseconds. */
const coolDownMs = 30_000

/** Shortest time between two requests after a failure, in milliseconds: the `Retry-After` of the refusal. */
const failedCoolDownMs = 5000

/**
 * A key set that the partner publishes. It is fetched when first needed and used for 10 minutes. A token with an unknown `kid`
 * causes another request, at most every 30 seconds, and after a failure at most every 5. A set that cannot be fetched again is
 * used for an hour at most; then only the first post waits for each request.
 */
export function importKeySet(
  source: Extract<VerificationKeySource, { kind: 'jwks' }>,
  {
    keySetTimeoutMs: timeoutMs = 5000,
    fetch = (...args) => globalThis.fetch(...args),
  }: ImportVerificationKeyOptions = {},
): VerificationKey {
  const url = readAddress(source.url)
  const algorithms = publicKeyAlgorithms.filter(algorithm => source.algorithms?.includes(algorithm) ?? true)
  if (algorithms.length === 0)
    throw new KeyImportError('jwks', `a key set allows ${publicKeyAlgorithms.join(', ')}`)

  /** The last set, and when it came. Its keys are imported here: jose would take weak ones. */
  let known: { readonly at: number; readonly set: KeySet } | undefined
  let failure: { readonly at: number; readonly error: unknown } | undefined
  /** Loads that part of jose with the first request: most programs fetch no key set. jose shares a request and ends it in time. */
  const makeRemote = async () => {
    const jose = await import('jose/jwks/remote')
    return jose.createRemoteJWKSet(new URL(url), {
      timeoutDuration: timeoutMs,
      [jose.customFetch]: async (_url, { signal }) => {
        const asked = { accept, maxBytes: maxKeySetBytes, fetch, signal, timeoutMs }
        const keys = readJwks(await fetchDocument(url, asked))
        known = { at: Date.now(), set: await importKeys(keys, algorithms) }
        return Response.json({ keys })
      },
    })
  }
  let remote: ReturnType<typeof makeRemote> | undefined

  /** Fetches the set, unless that is too early. Several calls at once make one request. Never rejects. */
  const refresh = async (): Promise<void> => {
    if (isWithin(failure?.at, failedCoolDownMs) || isWithin(known?.at, coolDownMs)) return
    try {
      remote ??= makeRemote()
      await (await remote).reload()
      failure = undefined
    } catch (error) {
      failure = { at: Date.now(), error }
    }
  }

  const findKeys = async (
    algorithm: PayloadAlgorithm,
    keyId: string | undefined,
  ): Promise<readonly VerificationKey[]> => {
    if (!isWithin(known?.at, freshMs)) {
      const refreshed = refresh()
      const isOutage = isWithin(failure?.at, freshMs) && isWithin(known?.at, staleMs)
      if (!isOutage) await refreshed
    }
    const usable = () => (isWithin(known?.at, staleMs) ? known?.set : undefined)
    const before = fittingKeys(usable(), algorithm, keyId)
    if (before.length > 0) return before
    await refresh()
    const set = usable()
    const keys = fittingKeys(set, algorithm, keyId)
    if (keys.length > 0) return keys
    throw set && !failure ? noFittingKey(set.ignored, keyId) : unavailable(failure?.error)
  }

  return {
    kind: 'jwks',
    keyId: givenKeyId('jwks', source.kid, undefined),
    thumbprint: undefined,
    certificateDigests: [],
    algorithms,
    certificate: undefined,
    issuers: [],
    materialFor: async (algorithm, { kid }, signal) => {
      // A `kid` that is the name of the set names no key in it.
      const keyId = typeof kid === 'string' && kid !== source.kid ? kid : undefined
      const keys = await waitFor(findKeys(algorithm, keyId), signal)
      return (await Promise.all(keys.map(key => key.materialFor(algorithm, {})))).flat()
    },
  }
}

function readAddress(address: string | URL): string {
  const url = URL.canParse(String(address)) ? new URL(address) : undefined
  if (!url || !isSecureUrl(url)) throw new KeyImportError('jwks', 'its address must be an absolute https URL')
  if (url.username || url.password)
    throw new KeyImportError('jwks', 'its address must not carry a user name or password')
  return url.href
}

/** False for a time in the future: setting the clock back must not lengthen anything. */
function isWithin(at: number | undefined, ms: number): boolean {
  const age = Date.now() - (at ?? Number.NEGATIVE_INFINITY)
  return age >= 0 && age < ms
}

/** Largest key set, in bytes: 64 RSA keys of 8,192 bits with their certificates are smaller. */
const maxKeySetBytes = 512 * 1024

const accept = 'application/jwk-set+json, application/json'

/** Most keys of a set: each may be tried for a token that names none. */
const maxKeys = 64

/** An entry that is no object becomes an empty object, which is left out like other bad keys. */
function readJwks(text: string): readonly unknown[] {
  const { keys } = Object(parseJson(text))
  if (!Array.isArray(keys)) throw new DocumentError('it is not a JSON Web Key Set')
  if (keys.length > maxKeys) throw new DocumentError(`it has more than ${maxKeys} keys`)
  return keys.map(key => (typeof key === 'object' && key !== null && !Array.isArray(key) ? key : {}))
}

interface KeySet {
  readonly keys: readonly VerificationKey[]
  /** Those that cannot be used: weak, damaged, for encryption, secret, or of an unknown kind. */
  readonly ignored: readonly {
    /** Names that a header's `kid` may use for it. */
    readonly names: readonly unknown[]
    /** The reason, as a clause. */
    readonly problem: string
  }[]
}

/** Imports the keys of a set. A key that cannot be used is left out, so that the others work. */
async function importKeys(
  jwks: readonly unknown[],
  algorithms: readonly PayloadAlgorithm[],
): Promise<KeySet> {
  const keys: VerificationKey[] = []
  const ignored: KeySet['ignored'][number][] = []
  for (const jwk of jwks) {
    try {
      keys.push(await importPublicJwk({ kind: 'jwks', algorithms }, jwk))
    } catch (error) {
      if (!(error instanceof KeyImportError)) throw error
      ignored.push({ names: [Object(jwk).kid, error.thumbprint], problem: error.problem })
    }
  }
  return { keys, ignored }
}

function fittingKeys(
  set: KeySet | undefined,
  algorithm: PayloadAlgorithm,
  keyId: string | undefined,
): readonly VerificationKey[] {
  const isNamed = (key: VerificationKey) => keyId === undefined || namesOfKey(key).includes(keyId)
  return set?.keys.filter(key => key.algorithms.includes(algorithm) && isNamed(key)) ?? []
}

function noFittingKey(ignored: KeySet['ignored'], keyId: string | undefined): PayloadKeyError {
  const named = keyId === undefined ? undefined : ignored.find(({ names }) => names.includes(keyId))
  const others =
    ignored.length > 0 ? ` Keys of it that cannot be used, such as weak ones: ${ignored.length}.` : ''
  return new PayloadKeyError(
    named
      ? `The key of the header’s kid cannot be used: ${named.problem}. Publish another one in the key set and sign with it.`
      : `The key set of the partner has no key for the header’s kid and alg.${others}`,
  )
}

function unavailable(error: unknown): UnavailableError {
  const why = error instanceof DocumentError ? `: ${error.message}` : ''
  return new UnavailableError(
    `The key set of the partner could not be fetched${why}. Send a new payload in a moment; if it goes on, check its address.`,
  )
}
