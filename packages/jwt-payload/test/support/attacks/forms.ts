import { type Attack, es, goodParts, group } from './attack.ts'
import { base64url, compact, goodClaims, signedBy } from './forge.ts'

const { h, c, s } = goodParts

/** Serializations that are neither compact nor a JWS. */
export const forms: readonly Attack[] = group('what is no compact JWS', [
  [
    'a JWE',
    () => [base64url('{"alg":"dir","enc":"A256GCM","kid":"p256"}'), '', 'AAAA', 'AAAA', 'AAAA'].join('.'),
  ],
  ['detached claims', () => `${h}..${s}`],
  ['only header and claims', () => `${h}.${c}`],
  ['a fourth part', () => `${h}.${c}.${s}.${s}`],
  ['the flattened JSON serialization', () => JSON.stringify({ protected: h, payload: c, signature: s })],
  [
    'the general JSON serialization',
    () => JSON.stringify({ payload: c, signatures: [{ protected: h, signature: s }] }),
  ],
  ['a token in a token', () => signedBy('p256', { cty: 'JWT' }).token(es.token())],
  [
    'a token in a token, as JSON text',
    () => signedBy('p256', { cty: 'JWT' }).token(JSON.stringify(es.token())),
  ],
  ['a list of claims', () => es.token([goodClaims()])],
  ['claims that are null', () => es.token('null')],
  ['a header that is a list', () => compact([es.header], goodClaims(), es.sign)],
  ['a header that is null', () => compact('null', goodClaims(), es.sign)],
  ['Bearer before it', () => `Bearer ${es.token()}`],
  ['two tokens', () => `${es.token()} ${es.token()}`],
])
