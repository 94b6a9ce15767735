import { createRemoteJWKSet, errors } from 'jose'
import { PayloadKeyError, UnavailableError } from '../errors/payload-errors.ts'
import { publicKeyAlgorithms } from './algorithms.ts'
import { KeyImportError } from './key-errors.ts'
import type { VerificationKeySource } from './key-source.ts'
import { minRsaBits } from './rsa-length.ts'
import type { VerificationKey } from './verification-key.ts'

type KeySetSource = Extract<VerificationKeySource, { kind: 'jwks' }>

/**
 * A key set that the partner publishes. It is fetched when first needed, kept for 10 minutes, and fetched again at most
 * every 30 seconds when a token names a key that is not in it.
 *
 * @throws {KeyImportError} when the address is not https (or http on this machine)
 */
export function importKeySet(source: KeySetSource, timeoutMs = 5000): VerificationKey {
  const url = URL.canParse(source.url) ? new URL(source.url) : undefined
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url))))
    throw new KeyImportError('jwks', 'its address must be an absolute https URL')
  const algorithms = publicKeyAlgorithms.filter(algorithm => source.algorithms?.includes(algorithm) ?? true)
  if (algorithms.length === 0)
    throw new KeyImportError('jwks', `a key set allows ${publicKeyAlgorithms.join(', ')}`)
  const keySet = createRemoteJWKSet(url, { timeoutDuration: timeoutMs })
  return {
    kind: 'jwks',
    keyId: source.kid,
    certificateDigests: [],
    algorithms,
    certificate: undefined,
    materialFor: async (algorithm, header) => {
      try {
        return checked(await keySet({ ...header, alg: algorithm }))
      } catch (error) {
        return materialsOf(error)
      }
    },
  }
}

async function materialsOf(error: unknown): Promise<readonly CryptoKey[]> {
  if (error instanceof errors.JWKSMultipleMatchingKeys) {
    const keys: CryptoKey[] = []
    for await (const key of error) keys.push(checked(key))
    return keys
  }
  if (error instanceof PayloadKeyError) throw error
  if (error instanceof errors.JWKSNoMatchingKey)
    throw new PayloadKeyError('The key set of the partner has no key for the header’s kid and alg.')
  throw new UnavailableError(
    'The key set of the partner could not be fetched. Send a new payload in a moment; if it goes on, check its address.',
  )
}

function checked(key: CryptoKey): CryptoKey {
  if ('modulusLength' in key.algorithm && Number(key.algorithm.modulusLength) < minRsaBits)
    throw new PayloadKeyError(`The key set of the partner has an RSA key of fewer than ${minRsaBits} bits.`)
  return key
}

function isThisMachine({ hostname }: URL): boolean {
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]'
}
