import { expect, test } from 'vitest'
import { isHttpUrl } from './page-text.ts'

test.each<[string, boolean]>([
  ['https://sso.example/partner/payload', true],
  ['HTTPS://sso.example', true],
  ['javascript:alert(1)', false],
  ['ftp://sso.example/', false],
  ['/partner/payload', false],
  ['https://', false],
  // A browser reads these as relative to a page of https.
  ['https:sso.example/partner/payload', false],
  ['https:///sso.example/', false],
  ['https://\\sso.example/', false],
  // A URL parser removes white space and control characters.
  [' https://sso.example/', false],
  ['https://sso.example/\n', false],
  ['https://sso.example/a b', false],
  ['https://sso\n.example/', false],
  ['\u0000https://sso.example/', false],
  ['https://sso.example/\u0085', false],
  ['', false],
])('%j: %s', (text, isHttp) => {
  expect(isHttpUrl(text)).toBe(isHttp)
})
