import { generateKeyPairSync } from 'node:crypto'

/** The attacker's keys. */
export const attackerEc = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** The attacker's second key, for RSA. */
export const attackerRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The attacker's key set, published by the attacker's server. */
export const attackerKeys = {
  keys: [
    { ...attackerEc.publicKey.export({ format: 'jwk' }), kid: 'p256', alg: 'ES256' },
    { ...attackerRsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', alg: 'RS256' },
  ],
}
