import { expect, test } from 'vitest'
import { hideTokens } from './hide-tokens.ts'

const encode = (text: string) => Buffer.from(text).toString('base64url')
const claims = encode('{ "organizationId": "o-17", "contact": {"id": "4711"} }')
const signature = 'c2lnbmF0dXJlLW9mLXRoaXMtdG9rZW4'
const tokenOf = (header: string) => `${encode(header)}.${claims}.${signature}`
const usual = tokenOf('{"alg":"ES256"}')
const spaced = tokenOf('{ "alg":"ES256"}')

test.each([
  ['as usual', usual],
  ['with a space before the first member', spaced],
  ['with a line break before the first member', tokenOf('{\n  "alg": "ES256"\n}')],
  ['with a carriage return and a tab before the first member', tokenOf('{\r\n\t"alg":"ES256"}')],
  ['with white space before the object', tokenOf(' \n\t{"alg":"ES256"}')],
  ['with a byte order mark', tokenOf('\ufeff{"alg":"ES256"}')],
  ['with an empty header', tokenOf('{}')],
  ['without a signature', `${encode('{ "alg":"none"}')}.${claims}.`],
  ['in a word of eight letters', `partners${spaced}`],
  ['in a word', `token_${spaced}`],
  ['behind other parts', `a.b.${spaced}`],
  ['in a form', `payload=${encodeURIComponent(spaced)}&a=b`],
  [
    'in a form that escapes every character',
    `payload=${spaced.replace(/[^%]/g, char => `%${char.charCodeAt(0).toString(16)}`)}`,
  ],
  ['behind an escaped sign of equality', `payload%3D${spaced}`],
  ['in an address', `https://sso.example/partner/payload/${spaced}?a=b`],
  ['in a sentence', `Posted ${spaced}, and was refused.`],
  ['in escapes of JSON', `{"a":"${spaced.replace(/^ey/, String.raw`\u0065\u0079`)}"}`],
  ['behind an escape of JSON', JSON.stringify(`x\n${spaced}`)],
  ['in two strings', JSON.stringify([spaced.slice(0, 15), spaced.slice(15)])],
  ['wrapped', spaced.replace(/.{16}/g, '$&\r\n')],
  ['with padded parts', spaced.replaceAll('.', '=.')],
  ['in UTF-16', Buffer.from(spaced, 'utf16le').toString('latin1')],
  ['cut behind its header', spaced.slice(0, spaced.indexOf('.') + 20)],
  [
    'as flattened JSON',
    JSON.stringify({ payload: claims, protected: encode('{ "alg":"ES256"}'), signature }),
  ],
  [
    'as general JSON',
    JSON.stringify({ payload: claims, signatures: [{ protected: encode('{\n"alg":"ES256"}'), signature }] }),
  ],
])('a signed token is hidden: %s', (_title, text) => {
  const shown = hideTokens(text).replaceAll('\0', '')
  expect(shown).toContain('(signed token)')
  for (const secret of [claims.slice(0, 24), signature.slice(0, 20), spaced.slice(2, 14)])
    expect(shown).not.toContain(secret)
})

test.each([
  'Service.Desktop.Arguments.Component, Service.Desktop',
  'partnerKeyId surveyId.length keyInput 3.0.0.0 192.168.10.17',
  'C:\\Users\\kari\\journal.2026.xml 100% 50%20 eyewitness.report.txt',
  '{"id":"e30e31e32-e30b-4e30-8e30-e30e30e30e30","date":"1980-04-03T00:00:00"}',
  'ø 漢 😀',
])('other text stays: %s', text => {
  expect(hideTokens(text)).toBe(text)
})
