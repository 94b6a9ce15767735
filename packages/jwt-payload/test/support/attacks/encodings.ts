import { type Attack, es, goodMembers, goodParts, group } from './attack.ts'
import { base64url, compact, goodClaims } from './forge.ts'

const { h, c, s } = goodParts
const bits = (part: string) => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = alphabet.indexOf(part.slice(-1))
  return part.slice(0, -1) + alphabet[last ^ 1]
}
/** Claims whose length leaves spare bits in base64url. */
const uneven = () => {
  for (let filling = ''; ; filling += 'x') {
    const text = JSON.stringify({ ...goodClaims(), filling })
    if (base64url(text).length % 4 !== 0) return base64url(text)
  }
}
/** The same token in another spelling. */
export const encodings: readonly Attack[] = group('another way to write it', [
  ['padding behind the header', () => `${h}=.${c}.${s}`],
  ['padding behind the claims', () => `${h}.${c}=.${s}`],
  ['padding behind the signature', () => `${h}.${c}.${s}==`],
  ['leftover bits in the signature', () => `${h}.${c}.${bits(s)}`],
  [
    'leftover bits in the claims, signed so',
    () => {
      const input = `${h}.${bits(uneven())}`
      return `${input}.${base64url(es.sign(input))}`
    },
  ],
  ['white space in the header', () => `${h.slice(0, 4)} ${h.slice(4)}.${c}.${s}`],
  ['an end of line in the claims', () => `${h}.${c.slice(0, 8)}\n${c.slice(8)}.${s}`],
  ['a tab in the signature', () => `${h}.${c}.\t${s}`],
  ['the other alphabet', () => `${h}.${c}.+/${s.slice(2)}`],
  ['a NUL', () => `${h}.${c}.${s}\0x`],
  ['full-width letters', () => `${h}.${c}.\uff21${s.slice(1)}`],
  [
    'a byte order mark before the claims, signed so',
    () => compact(es.header, `\ufeff${JSON.stringify(goodClaims())}`, es.sign),
  ],
  [
    'claims that are not UTF-8, signed so',
    () => {
      const input = `${h}.${base64url(Buffer.concat([Buffer.from(`{${goodMembers()},"x":"`), Buffer.of(0xc3, 0x28), Buffer.from('"}')]))}`
      return `${input}.${base64url(es.sign(input))}`
    },
  ],
  ['a comment in the claims, signed so', () => compact(es.header, `{/**/${goodMembers()}}`, es.sign)],
  ['something behind the claims, signed so', () => compact(es.header, `{${goodMembers()}}{}`, es.sign)],
])
