import { expect, test } from 'vitest'
import { isHttpUrl } from './is-http-url.ts'

test.each([
  ['https://sso.example/partner/payload', true],
  ['http://localhost:8080', true],
  ['HTTPS://sso.example', true],
  ['javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['ftp://sso.example/', false],
  ['httpsx://sso.example/', false],
  ['//sso.example/', false],
  ['/partner/payload', false],
  ['https://', false],
  ['', false],
])('%s: %s', (text, isHttp) => {
  expect(isHttpUrl(text)).toBe(isHttp)
})
