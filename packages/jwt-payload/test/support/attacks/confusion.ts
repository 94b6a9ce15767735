import { keyText } from '@service-link/test-kit/payload-vectors'
import { type Attack, es, group } from './attack.ts'
import { attackerEc, attackerRsa } from './attacker-keys.ts'
import { compact, es256, goodClaims, hmac, privateKey, rs256, signedBy } from './forge.ts'

/** Public texts of the partner's keys, as bytes for an HMAC. */
const publicTexts: readonly (readonly [string, () => string | Uint8Array])[] = [
  ['its PEM', () => keyText('rsa', 'pem')],
  ['its PEM with an end of line', () => `${keyText('rsa', 'pem').trim()}\n`],
  ['its PEM without one', () => keyText('rsa', 'pem').trim()],
  ['its PEM with CRLF', () => keyText('rsa', 'pem').replaceAll('\n', '\r\n')],
  ['its DER', () => Buffer.from(keyText('rsa', 'pem').replace(/-----.*-----|\s/g, ''), 'base64')],
  ['its base64', () => keyText('rsa', 'pem').replace(/-----.*-----|\s/g, '')],
  ['its JWK', () => JSON.stringify(privateKey('rsa').export({ format: 'jwk' }), ['kty', 'n', 'e'])],
  ['its modulus', () => Buffer.from(String(privateKey('rsa').export({ format: 'jwk' }).n), 'base64url')],
  ['its certificate', () => keyText('certificate', 'pem')],
  ['nothing', () => ''],
]
/** A public key used as a secret, or a key used with another algorithm. */
export const confusion: readonly Attack[] = group('another kind of key', [
  ...publicTexts.flatMap(([what, secret]) =>
    ['256', '384', '512'].flatMap(bits => [
      [
        `HS${bits} with ${what} as secret`,
        () => compact({ alg: `HS${bits}`, kid: 'rsa' }, goodClaims(), hmac(secret(), `sha${bits}`)),
      ] as const,
      [
        `HS${bits} with ${what} as secret, found by iss`,
        () =>
          compact(
            { alg: `HS${bits}` },
            { ...goodClaims(), iss: 'https://partner.example' },
            hmac(secret(), `sha${bits}`),
          ),
      ] as const,
    ]),
  ),
  [
    'RS256 of the attacker for a partner that has a secret',
    () => compact({ alg: 'RS256', kid: 'secret' }, goodClaims(), rs256(attackerRsa.privateKey)),
  ],
  [
    'ES256 with the kid of an RSA key',
    () => compact({ alg: 'ES256', kid: 'rsa' }, goodClaims(), es256(attackerEc.privateKey)),
  ],
  ['ES384 for a key of P-256', () => compact({ ...es.header, alg: 'ES384' }, goodClaims(), es.sign)],
  ['ES256K', () => compact({ ...es.header, alg: 'ES256K' }, goodClaims(), es.sign)],
  ['an algorithm in lower case', () => compact({ ...es.header, alg: 'es256' }, goodClaims(), es.sign)],
  [
    'the kid of the partner, the secret of another',
    () => compact({ alg: 'HS256', kid: 'p256' }, goodClaims(), signedBy('secret').sign),
  ],
])
