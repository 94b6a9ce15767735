import { generateKeyPairSync } from 'node:crypto'

/** Keys of the attacker's own. */
export const attackerEc = generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Another, for RSA. */
export const attackerRsa = generateKeyPairSync('rsa', { modulusLength: 2048 })

/** The attacker's key set, for whoever fetches it. */
export const attackerKeys = {
  keys: [
    { ...attackerEc.publicKey.export({ format: 'jwk' }), kid: 'p256', alg: 'ES256' },
    { ...attackerRsa.publicKey.export({ format: 'jwk' }), kid: 'rsa', alg: 'RS256' },
  ],
}
