import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { commandNames, sessionEventNames } from '@service-link/protocol-core'
import { afterAll, describe, expect, test } from 'vitest'
import { completionScript } from '../src/cli/completion/completion-script.ts'
import { shells } from '../src/cli/facts/command-facts.ts'
import { runServicePipeProcess } from './_service-pipe.ts'

const folder = mkdtempSync(join(tmpdir(), 'service-pipe-completion-'))
afterAll(() => rmSync(folder, { recursive: true }))

// The script asks `service-pipe list` for process ids; what that prints is tested elsewhere.
const stub = join(folder, 'service-pipe')
writeFileSync(
  stub,
  `#!/bin/sh\n[ "$*" = list ] && echo '[{"pid":4711,"address":"a"},{"pid":4822,"address":"b"}]'\n`,
)
chmodSync(stub, 0o755)
for (const name of ['person.json', 'profile.json']) writeFileSync(join(folder, name), '{}')

const environment = { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` }

const isInstalled = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** Has a shell complete the last of the words, and tells what it offers. */
function completeInBash(...words: string[]): string[] {
  const program = `source <(printf %s "$SCRIPT"); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _service_pipe; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr } = spawnSync('bash', ['-c', program, 'bash', 'service-pipe', ...words], {
    encoding: 'utf8',
    cwd: folder,
    env: { ...environment, SCRIPT: completionScript('bash') },
  })
  expect(stderr).toBe('')
  return stdout.split('\n').filter(word => word !== '')
}

describe.runIf(process.platform !== 'win32')('bash', () => {
  test('the commands', () => {
    expect(completeInBash('')).toEqual(['list', 'status', 'watch', 'completion', ...commandNames])
    expect(completeInBash('getl')).toEqual(['getlistofusers'])
    expect(completeInBash('--pid', '4711', 'ope')).toEqual(['openworkout'])
    expect(completeInBash('--pid', '=', '4711', 'ope')).toEqual(['openworkout'])
  })

  test('the arguments of a command, each once', () => {
    expect(completeInBash('setcustomid', '')).toEqual(['userid=', 'customid='])
    expect(completeInBash('setcustomid', 'userid', '=', '5', '')).toEqual(['customid='])
    expect(completeInBash('selectperson', 'date')).toEqual(['dateofbirth='])
    expect(completeInBash('setcustomid', 'userid', '=')).toEqual([])
    expect(completeInBash('setcustomid', 'userid', '=', 'cust')).toEqual([])
  })

  test('the events of watch, and the shells of completion', () => {
    expect(completeInBash('watch', '')).toEqual(sessionEventNames)
    expect(completeInBash('watch', 'closing', 'sign')).toEqual(['signedin', 'signedout'])
    expect(completeInBash('completion', '')).toEqual(shells)
  })

  test('the options of a command', () => {
    expect(completeInBash('watch', '--co')).toEqual(['--count'])
    expect(completeInBash('hide', '--co')).toEqual([])
    expect(completeInBash('hide', '')).toContain('--pid')
  })

  test('process ids of the wrappers that run', () => {
    expect(completeInBash('hide', '--pid', '')).toEqual(['4711', '4822'])
    expect(completeInBash('hide', '--pid', '=')).toEqual(['4711', '4822'])
    expect(completeInBash('hide', '--pid', '=', '48')).toEqual(['4822'])
    expect(completeInBash('hide', '--timeout', '')).toEqual([])
  })

  test('files, where arguments are read from one', () => {
    expect(completeInBash('selectperson', '@').sort()).toEqual([
      'person.json',
      'profile.json',
      'service-pipe',
    ])
    expect(completeInBash('selectperson', '@', 'per')).toEqual(['person.json'])
    expect(completeInBash('selectperson', 'profiledata', '=@', 'prof')).toEqual(['profile.json'])
  })
})

const checkers = [
  ['bash', '-n'],
  ['zsh', '-n'],
  ['fish', '--no-execute'],
] as const
const checks = checkers.filter(([shell]) => isInstalled(shell))
const missing = checkers.filter(([shell]) => !isInstalled(shell))

describe('the script', () => {
  test.each(checks)('for %s is read by it without a complaint', (shell, option) => {
    const file = join(folder, `script.${shell}`)
    writeFileSync(file, completionScript(shell))
    const { status, stdout, stderr } = spawnSync(shell, [option, file], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
  })

  for (const [shell] of missing)
    test(`for ${shell} is read by it`, context => context.skip(`${shell} is not installed`))

  test.each(shells)('for %s knows every command and event, and is ASCII', shell => {
    const script = completionScript(shell)
    for (const word of [...commandNames, ...sessionEventNames, 'profiledata=', 'pipe-prefix'])
      expect(script).toContain(word)
    expect(script).toMatch(/^[\n -~]+$/)
  })

  test.each(shells)('for %s is all that service-pipe completion prints', async shell => {
    const { exitCode, stdout, stderr } = await runServicePipeProcess(['completion', shell], { prefix: null })
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toBe(completionScript(shell))
  })
})
