import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { memoryTerminal } from '@service-link/terminal/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runServiceConformance } from './run-service-conformance.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'conformance-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(...argv: readonly string[]) {
  const terminal = memoryTerminal()
  const exitCode = await runServiceConformance(argv, terminal)
  return { exitCode, printed: terminal.printed(), told: terminal.told() }
}

test.each<[argv: string[], sentence: string]>([
  [[], 'Name a subcommand.'],
  [['signers'], 'There is no such subcommand. Did you mean signer?'],
  [['signer'], '--program is missing.'],
  [['signer', '--program', ' '], '--program is empty.'],
  [['receiver', '--key', 'x'], '--address is missing.'],
  [['receiver', '--address', 'sso.example'], '--address needs an absolute URL.'],
  [['wrapper', '--program', 'x', '--timeout', '0'], '--timeout needs a whole number from 1 to 3600.'],
  [['wrapper', '--program', 'x', '--only', 'nothing'], 'the role wrapper has no such scenario.'],
  [['wrapper', '--program', 'x', '--known-failures', 'missing.json'], 'cannot be read: it does not exist.'],
])('%j is refused with its reason', async (argv, sentence) => {
  const { exitCode, printed, told } = await run(...argv)
  expect({ exitCode, printed }).toEqual({ exitCode: 2, printed: '' })
  expect(told).toContain(sentence)
})

test('known failures make a failed run pass, and the reports are written', async () => {
  const known = join(folder, 'known.json')
  await writeFile(known, '{"refuses-no-claims": "It reads nothing."}')
  const program = `'${process.execPath}' -e 0`
  const line = ['signer', '--program', program, '--only', 'refuses-no-claims']
  expect(await run(...line)).toMatchObject({
    exitCode: 1,
    told: expect.stringContaining('The exit code is 0.'),
  })
  const reports = join(folder, 'reports')
  const end = await run(...line, '--known-failures', known, '--report', reports, '--json')
  expect(end).toMatchObject({ exitCode: 0, told: expect.stringContaining('0 of 1 passed, as expected.') })
  expect(JSON.parse(end.printed)).toMatchObject({ role: 'signer', isAsExpected: true })
  expect((await readdir(reports)).sort()).toEqual(['signer.html', 'signer.json', 'signer.xml'])
})

test('a folder that cannot be made is told before the run', async () => {
  const file = join(folder, 'file')
  await writeFile(file, '')
  const end = await run('signer', '--program', 'not-started', '--report', join(file, 'reports'))
  expect(end).toMatchObject({ exitCode: 2, printed: '' })
  expect(end.told).toContain('The folder of the reports cannot be made: E')
  expect(end.told).not.toContain('verifies')
})

test('lists the scenarios of a role', async () => {
  const { exitCode, printed } = await run('signer', '--list')
  expect(exitCode).toBe(0)
  expect(printed).toContain('verifies (5.1): Signs so that')
})
