import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { linux } from './platform/current-platform.ts'
import type { ProgramCall } from './platform/window-platform.ts'
import { externalOpener, leadsOutside } from './web-address.ts'

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

/** A platform whose starter is recorded instead of a real program. */
function noting(calls: string[], call: ProgramCall) {
  return externalOpener({
    ...linux,
    openerCall(url) {
      calls.push(url)
      return { ...call, args: [...call.args, url] }
    },
  })
}

describe('externalOpener', () => {
  it('starts the platform’s program with the address', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'open-external-'))
    const file = join(folder, 'opened')
    const script = `require('node:fs').writeFileSync(process.argv[1], process.argv[2])`
    noting([], { file: process.execPath, args: ['-e', script, file] })('https://site.example/a b?c="d"')
    await expect
      .poll(() => readFile(file, 'utf8').catch(() => ''), { timeout: 20_000 })
      .toBe('https://site.example/a%20b?c=%22d%22')
    await rm(folder, { recursive: true })
  })

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'ms-settings:',
    'vbscript:x',
    `https://a.example/${'x'.repeat(9000)}`,
  ])('passes only web addresses of reasonable length: %.40s', url => {
    const calls: string[] = []
    noting(calls, { file: process.execPath, args: ['-e', ''] })(url)
    expect(calls).toEqual([])
  })

  it('does not fail when the program is missing', () => {
    expect(() => noting([], { file: '/nowhere/program', args: [] })('https://site.example/')).not.toThrow()
  })
})
