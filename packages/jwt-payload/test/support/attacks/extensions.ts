import { deflateRawSync } from 'node:zlib'
import { type Attack, es, group, iat } from './attack.ts'
import { base64url, goodClaims, signedBy } from './forge.ts'

/** Headers with `crit`, `b64` and `zip`. */
export const extensions: readonly Attack[] = group('extensions', [
  ...[['exp'], ['b64'], ['urn:example:unknown'], ['alg'], [], null, 'exp', {}, '__proto__'].map(
    crit =>
      [
        `crit ${JSON.stringify(crit)}`,
        () => signedBy('p256', { crit, exp: iat + 60, b64: false }).token(),
      ] as const,
  ),
  [
    'b64 false: claims that are not encoded',
    () => {
      const header = base64url(JSON.stringify({ ...es.header, b64: false, crit: ['b64'] }))
      const claims = JSON.stringify({ ...goodClaims(), aud: 'x' })
      return `${header}.${claims}.${base64url(es.sign(`${header}.${claims}`))}`
    },
  ],
  [
    'zip: compressed claims',
    () => {
      const header = base64url(JSON.stringify({ ...es.header, zip: 'DEF' }))
      const input = `${header}.${base64url(deflateRawSync(JSON.stringify(goodClaims())))}`
      return `${input}.${base64url(es.sign(input))}`
    },
  ],
])
