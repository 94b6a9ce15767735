import { type Attack, es, goodMembers, goodParts, group, headerMembers } from './attack.ts'
import { attackerEc } from './attacker-keys.ts'
import { compact, es256, goodClaims } from './forge.ts'

const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times)
const { h, c } = goodParts

/** Tokens that are too long, too deep or have too many members. */
export const bombs: readonly Attack[] = group('bombs', [
  ['a token of 1 MB', () => compact(es.header, { ...goodClaims(), x: 'a'.repeat(1_000_000) }, es.sign)],
  [
    'a token just above the limit',
    () => compact(es.header, { ...goodClaims(), x: 'a'.repeat(49_200) }, es.sign),
  ],
  ['a signature of 60 KB', () => `${h}.${c}.${'A'.repeat(60_000)}`],
  ['a header of 1 MB', () => compact({ ...es.header, x: 'a'.repeat(1_000_000) }, goodClaims(), es.sign)],
  ['a kid of 1 MB', () => compact({ ...es.header, kid: 'a'.repeat(1_000_000) }, goodClaims(), es.sign)],
  [
    'a kid of 40 KB',
    () => compact({ ...es.header, kid: 'a'.repeat(40_000) }, goodClaims(), es256(attackerEc.privateKey)),
  ],
  [
    '20,000 lists in the header',
    () => compact(`{${headerMembers},"x":${deep('[', ']', 20_000)}}`, goodClaims(), es.sign),
  ],
  [
    '17 objects in the header',
    () =>
      compact(`{${headerMembers},"x":${deep('{"a":', '}', 17).replace('}', '1}')}}`, goodClaims(), es.sign),
  ],
  [
    '20,000 lists in the claims',
    () => compact(es.header, `{${goodMembers()},"x":${deep('[', ']', 20_000)}}`, es.sign),
  ],
  [
    '20,000 lists that are never closed',
    () => compact(es.header, `{${goodMembers()},"x":${'['.repeat(20_000)}`, es.sign),
  ],
  [
    '5,000 objects in the claims',
    () =>
      compact(es.header, `{${goodMembers()},"x":${deep('{"a":', '}', 5000).replace('}', '1}')}}`, es.sign),
  ],
  [
    '10,000 lists beside each other in the claims',
    () => compact(es.header, { ...goodClaims(), x: Array(10_000).fill([]) }, es.sign),
  ],
  [
    '10,000 numbers in the claims',
    () => compact(es.header, { ...goodClaims(), x: Array(10_000).fill(1) }, es.sign),
  ],
  [
    '5,000 members in the claims',
    () =>
      compact(
        es.header,
        {
          ...goodClaims(),
          ...Object.fromEntries(Array.from({ length: 5000 }, (_, key) => [key, 1])),
        },
        es.sign,
      ),
  ],
  [
    'a text of 4,097 characters',
    () => compact(es.header, { ...goodClaims(), employeeId: 'a'.repeat(4097) }, es.sign),
  ],
  ['8,000 dots', () => '.'.repeat(8000)],
  ['dots and nothing else', () => '..'],
])
