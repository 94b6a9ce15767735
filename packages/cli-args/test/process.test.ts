import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { buildArguments, parseArguments, quotePosixShell } from '../src/index.ts'

const run = promisify(execFile)

const person = {
  customId: 'x" provider="evil, evil',
  firstname: '"Åse"\n$(id) `id` %PATH% !! \\',
  lastname: "O'Neil & Søn; | > <",
  dateOfBirth: '1980-04-03',
}
const argv = buildArguments({ person, queryExercises: '* ~ $HOME \\"' })
const printArguments = ['-e', 'process.stdout.write(JSON.stringify(process.argv.slice(1)))', '--']

function parsePrinted(stdout: string) {
  const received: unknown = JSON.parse(stdout)
  expect(received).toEqual(argv)
  return parseArguments(argv)
}

test('[4.3-grammar] a started process gets each argument as it was written', async () => {
  const { stdout } = await run(process.execPath, [...printArguments, ...argv])
  expect(parsePrinted(stdout).commands[0]).toEqual({ name: 'selectperson', args: person })
})

test.skipIf(process.platform === 'win32')('a POSIX shell gets each argument as it was written', async () => {
  const line = quotePosixShell([process.execPath, ...printArguments, ...argv])
  const { stdout } = await run('/bin/sh', ['-c', line])
  expect(parsePrinted(stdout).provider).toBeUndefined()
})
