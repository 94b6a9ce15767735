import { keyText } from '@service-link/test-kit/payload-vectors'
import { type Attack, type AttackTarget, group } from './attack.ts'
import { attackerEc, attackerKeys } from './attacker-keys.ts'
import { compact, es256, goodClaims } from './forge.ts'

/** Keys, and addresses of keys, inside the token. */
export const embedded: readonly Attack[] = group(
  'a key that the token brings',
  (
    [
      ['jwk', () => ({ jwk: attackerKeys.keys[0] })],
      ['jku', ({ attacker }) => ({ jku: `${attacker}/keys` })],
      [
        'jku under an address of the service',
        ({ attacker }) => ({ jku: `https://sso.example@${attacker.replace('http://', '')}/keys` }),
      ],
      ['x5u', ({ attacker }) => ({ x5u: `${attacker}/certificate` })],
      ['x5c', () => ({ x5c: [keyText('otherCertificate', 'pem').replace(/-----.*-----|\s/g, '')] })],
      [
        'jwk, jku, x5u and x5c',
        ({ attacker }) => ({ jwk: attackerKeys.keys[0], jku: attacker, x5u: attacker, x5c: ['AAAA'] }),
      ],
      ['a kid that is an address', ({ attacker }) => ({ kid: `${attacker}/keys` })],
      ['an iss that is an address', ({ attacker }) => ({ iss: attacker })],
    ] as const satisfies readonly (readonly [string, (context: AttackTarget) => object])[]
  ).flatMap(([what, header]) =>
    [{ kid: 'p256' }, {}].map(
      kid =>
        [
          `${what}, ${'kid' in kid ? 'with' : 'without'} the partner’s kid`,
          (context: AttackTarget) =>
            compact(
              { alg: 'ES256', ...kid, ...header(context) },
              { ...goodClaims(), iss: 'https://partner.example' },
              es256(attackerEc.privateKey),
            ),
        ] as const,
    ),
  ),
)
