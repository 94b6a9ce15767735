import { type Attack, es, group } from './attack.ts'
import { compact, goodClaims } from './forge.ts'

/** `alg` none and its variants. */
export const unsigned: readonly Attack[] = group(
  'no signature',
  [
    'none',
    'None',
    'NONE',
    'nOnE',
    'none ',
    ' none',
    'none\0',
    '',
    null,
    0,
    true,
    ['none'],
    ['ES256'],
    { alg: 'ES256' },
    undefined,
  ].flatMap(
    alg =>
      [
        [
          `alg ${JSON.stringify(alg)}, nothing behind the last dot`,
          () => compact({ ...es.header, alg }, goodClaims(), () => ''),
        ],
        [
          `alg ${JSON.stringify(alg)} and the partner’s signature`,
          () => compact({ ...es.header, alg }, goodClaims(), es.sign),
        ],
        [
          `alg ${JSON.stringify(alg)}, no kid`,
          () => compact({ alg, typ: 'JWT' }, { ...goodClaims(), iss: 'https://partner.example' }, () => ''),
        ],
      ] as const,
  ),
)
