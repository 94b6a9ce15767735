import { expect, test } from 'vitest'
import { maxPayloadBytes } from './launch-file.ts'
import { checkSignedPayload, checkSsoUrl } from './signed-payload.ts'

test.each(['eyJ0.eyJp.c2ln', 'a.b-_.c', `a.b.${'c'.repeat(maxPayloadBytes - 4)}`])(
  'a payload that begins with %.20s has the form of a signed JWT',
  payload => {
    expect(() => checkSignedPayload(payload)).not.toThrow()
  },
)

test.each<[string, string]>([
  ['nothing', ''],
  ['two parts', 'Secret.b'],
  ['four parts', 'Secret.b.c.d'],
  ['an encrypted token', 'Secret..b.c.d'],
  ['an unsigned token', 'Secret.b.'],
  ['padding', 'Secret.b.c='],
  ['the other base64', 'Secret.b+/.c'],
  ['a blank', 'Secret.b .c'],
  ['a line break at its end', 'Secret.b.c\n'],
  ['a NUL', 'Secret.b.c\0'],
  ['another script', 'Secret.b.ç'],
  ['too much', `Secret.b.${'c'.repeat(maxPayloadBytes)}`],
])('%s has not, and is not repeated', (_title, payload) => {
  expect(() => checkSignedPayload(payload)).toThrow(
    expect.objectContaining({
      code: 'ERR_PAYLOAD_MALFORMED',
      message: expect.not.stringContaining('Secret'),
    }),
  )
})

test('a signed end is refused, with what to write', () => {
  const claims = Buffer.from(JSON.stringify({ end: 'context' })).toString('base64url')
  expect(() => checkSignedPayload(`a.${claims}.b`)).toThrow(/is a signed end.*clearperson=true/)
})

test.each([
  'https://sso.example',
  'https://sso.example:8443/base/',
  'http://localhost:8080',
  'http://app.localhost',
  'http://127.0.0.1:3000',
  'http://127.1',
  'http://[::1]:3000',
])('[4.1-post] a payload may be posted to %s', url => {
  expect(() => checkSsoUrl(url)).not.toThrow()
})

test.each([
  '',
  '{app_url}',
  'http://sso.example',
  'http://10.0.0.1',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://[::ffff:7f00:1]',
  'file:///etc',
  'javascript:alert(1)',
  'https://user:secret@sso.example',
  'https://sso.example/?a=b',
  'https://sso.example/#a',
])('a payload may not be posted to %j, which is not repeated', url => {
  expect(() => checkSsoUrl(url)).toThrow(
    expect.objectContaining({ code: 'ERR_SSO_URL', message: expect.not.stringContaining('example') }),
  )
})
