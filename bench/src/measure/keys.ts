import { generateKeyPairSync } from 'node:crypto'
import { importSigningKey } from '@service-link/jwt-payload'

/** Makes the key pair of a partner. */
export async function makeKeys(algorithm: 'ES256' | 'RS256') {
  const { privateKey, publicKey } =
    algorithm === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = privateKey.export({ format: 'jwk' })
  const key = await importSigningKey({ kind: 'jwk', jwk, algorithm, kid: 'bench' })
  return { key, publicKey, publicJwk: publicKey.export({ format: 'jwk' }) }
}
