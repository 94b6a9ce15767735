import { expect, test } from 'vitest'
import { checkSsoUrl } from './sso-url.ts'

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
