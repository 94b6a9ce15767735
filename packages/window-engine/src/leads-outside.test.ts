import { expect, test } from 'vitest'
import { leadsOutside } from './leads-outside.ts'

const app = 'https://app.example'
const link = { url: 'https://elsewhere.example/a?b', isLink: true, isFromApp: true }

test.each([
  ['a link of the web app to another origin', link, true],
  ['a link to the web app’s own origin', { ...link, url: `${app}/a` }, false],
  ['a link to another port', { ...link, url: `${app}:8443/a` }, true],
  ['a script, a form or a redirect', { ...link, isLink: false }, false],
  ['a link of a sign-in’s page', { ...link, isFromApp: false }, false],
  ['a mail link', { ...link, url: 'mailto:nobody@site.example' }, false],
  ['nonsense', { ...link, url: 'nonsense' }, false],
])('%s: %#', (_name, navigation, isOutside) => {
  expect(leadsOutside(navigation, [app])).toBe(isOutside)
})
