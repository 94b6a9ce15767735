import { type Attack, es, goodMembers, group, iat } from './attack.ts'
import { compact, goodClaims } from './forge.ts'

/** Times outside the tolerance, and values that are no times. */
export const times: readonly Attack[] = group('times that are wrong, signed by the partner', [
  ...(
    [
      ['iat in an hour', { iat: iat + 3600, exp: iat + 3660 }],
      ['iat in 61 s', { iat: iat + 61, exp: iat + 100 }],
      ['nbf in an hour', { nbf: iat + 3600 }],
      ['exp an hour ago', { iat: iat - 3660, exp: iat - 3600 }],
      ['exp negative', { exp: -1 }],
      ['exp in milliseconds', { exp: (iat + 60) * 1000 }],
      ['exp null', { exp: null }],
      ['exp true', { exp: true }],
      ['exp a list', { exp: [iat + 60] }],
      ['exp an object', { exp: { valueOf: iat + 60 } }],
      ['iat negative', { iat: -iat }],
      ['exp as hexadecimal text', { exp: `0x${(iat + 60).toString(16)}` }],
      ['exp as text with an exponent', { exp: `${iat + 60}e0` }],
      ['exp as text with a sign', { exp: `+${iat + 60}` }],
      ['exp as text with a blank', { exp: ` ${iat + 60}` }],
      ['exp as text in other digits', { exp: String(iat + 60).replaceAll('1', '١') }],
      ['exp as text in milliseconds', { exp: `${iat + 60}000` }],
      ['exp as text, an hour ago', { iat: undefined, exp: String(iat - 3600) }],
      ['nbf as text, in an hour', { nbf: String(iat + 3600) }],
      ['iat as an empty text', { iat: '' }],
    ] as const
  ).map(([name, claims]) => [name, () => es.token({ ...goodClaims(), ...claims })] as const),
  ...(['1e400', '-1e400', '1e308', '-0.5'] as const).map(
    exp =>
      [
        `exp ${exp}`,
        () => compact(es.header, `{${goodMembers().replace(/"exp":\d+/, `"exp":${exp}`)}}`, es.sign),
      ] as const,
  ),
  ...(['NaN', 'Infinity', '0x7fffffff', '01', '+1', '1_000'] as const).map(
    exp =>
      [
        `exp ${exp}, which is not JSON`,
        () => compact(es.header, `{${goodMembers().replace(/"exp":\d+/, `"exp":${exp}`)}}`, es.sign),
      ] as const,
  ),
  ...(['exp', 'iat', 'nbf'] as const).map(
    claim =>
      [
        `${claim} as text`,
        () => es.token({ ...goodClaims(), [claim]: String(iat + (claim === 'exp' ? 60 : 0)) }),
        { notUnder: 'lenient' },
      ] as const,
  ),
  ['exp 301 s after iat', () => es.token({ ...goodClaims(), exp: iat + 301 }), { notUnder: 'lenient' }],
  ['exp in the year 9999', () => es.token({ ...goodClaims(), exp: 253402300799 }), { notUnder: 'lenient' }],
  ['no exp', () => es.token({ ...goodClaims(), exp: undefined }), { notUnder: 'lenient' }],
  ['no iat', () => es.token({ ...goodClaims(), iat: undefined }), { notUnder: 'lenient' }],
  ['no jti', () => es.token({ ...goodClaims(), jti: undefined }), { notUnder: 'lenient' }],
  ['jti that is a list', () => es.token({ ...goodClaims(), jti: ['x'] })],
])
