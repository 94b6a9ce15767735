import { url } from '@service-link/test-kit/payload-vectors'
import { type Attack, es, goodMembers, group, headerMembers } from './attack.ts'
import { compact, goodClaims } from './forge.ts'

/** Duplicate members: some readers take the first, others the last. */
export const duplicates: readonly Attack[] = group('members that are there twice, signed by the partner', [
  ['alg, none first', () => compact(`{"alg":"none",${headerMembers}}`, goodClaims(), es.sign)],
  ['alg, none last', () => compact(`{${headerMembers},"alg":"none"}`, goodClaims(), es.sign)],
  [
    'alg, one of them escaped',
    () => compact(`{"\\u0061lg":"HS256",${headerMembers}}`, goodClaims(), es.sign),
  ],
  ['kid', () => compact(`{"kid":"rsa",${headerMembers}}`, goodClaims(), es.sign)],
  [
    'aud, the other’s first',
    () => compact(es.header, `{"aud":"https://other.example",${goodMembers()}}`, es.sign),
  ],
  ['aud, ours first', () => compact(es.header, `{${goodMembers()},"aud":"https://other.example"}`, es.sign)],
  ['jti', () => compact(es.header, `{"jti":"first",${goodMembers()}}`, es.sign)],
  ['exp', () => compact(es.header, `{"exp":1,${goodMembers()}}`, es.sign)],
  ['employeeId', () => compact(es.header, `{"employeeId":"other",${goodMembers()}}`, es.sign)],
  [
    'a member of contact',
    () =>
      compact(es.header, `{${goodMembers().replace('"contact":{', '"contact":{"id":"other",')}}`, es.sign),
  ],
  ['__proto__', () => compact(es.header, `{"__proto__":{"aud":1},"__proto__":{},${goodMembers()}}`, es.sign)],
  [
    'aud only in __proto__',
    () =>
      compact(
        es.header,
        `{"__proto__":{"aud":"${url}"},${goodMembers().replace(/"aud":"[^"]*"/, '"x":1')}}`,
        es.sign,
      ),
    { notUnder: 'lenient' },
  ],
  [
    'alg only in __proto__',
    () => compact('{"__proto__":{"alg":"ES256"},"kid":"p256"}', goodClaims(), es.sign),
  ],
])
