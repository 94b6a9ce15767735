import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { linux } from './platform/linux.ts'
import type { ProgramCall } from './platform/window-platform.ts'
import { externalOpener, leadsOutside } from './web-address.ts'

const app = 'https://app.example'

test.each([
  ['https://elsewhere.example/a?b', true],
  [`${app}/a`, false],
  [`${app}:8443/a`, true],
  ['mailto:nobody@site.example', false],
  ['nonsense', false],
])('whether the link %s of the web app goes to the user’s browser: %j', (link, isOutside) => {
  expect(leadsOutside(link, [app])).toBe(isOutside)
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
