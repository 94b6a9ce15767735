import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandNames, sessionEventNames } from '@service-link/protocol-core'
import { afterAll, describe, expect, test } from 'vitest'
import { completionScript } from '../src/cli/completion/completion-script.ts'
import { shells } from '../src/cli/facts/command-facts.ts'
import { type CompletingShell, completionFolder } from './_completing-shells.ts'
import { runServicePipeProcess } from './_service-pipe.ts'

const workplace = completionFolder()
afterAll(() => workplace[Symbol.dispose]())

const isInstalled = (program: string) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

/** In CI each of them is needed. */
const needed = process.env.CI && process.platform === 'linux'

const every: readonly (readonly [CompletingShell, string])[] = [
  ['bash', '-n'],
  ['zsh', '-n'],
  ['fish', '--no-execute'],
]

for (const [shell, checkOnly] of process.platform === 'win32' ? [] : every) {
  const isThere = needed || isInstalled(shell)
  describe.skipIf(!isThere)(isThere ? shell : `${shell} (not installed here)`, () => {
    const complete = (...words: string[]) => workplace.complete(shell, ...words).sort()

    test('reads the script without a complaint', () => {
      const file = join(workplace.folder, '.config', `check.${shell}`)
      writeFileSync(file, completionScript(shell))
      const { status, stdout, stderr } = spawnSync(shell, [checkOnly, file], { encoding: 'utf8' })
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' })
    })

    test('completes the commands', () => {
      expect(complete('')).toEqual(['list', 'status', 'watch', 'completion', ...commandNames].sort())
      expect(complete('getl')).toEqual(['getlistofusers'])
      expect(complete('--pid', '4711', 'ope')).toEqual(['openworkout'])
    })

    test('completes the arguments of a command', () => {
      expect(complete('setcustomid', '')).toEqual(['customid=', 'userid='])
      expect(complete('selectperson', 'date')).toEqual(['dateofbirth='])
    })

    test('completes the events of watch, each once, and the shells of completion', () => {
      expect(complete('watch', '')).toEqual([...sessionEventNames].sort())
      expect(complete('watch', 'signedin', 'sign')).toEqual(['signedout'])
      expect(complete('completion', '')).toEqual([...shells].sort())
    })

    test('completes the options of a command', () => {
      expect(complete('watch', '--co')).toEqual(['--count'])
      expect(complete('hide', '--co')).toEqual([])
      expect(complete('hide', '--')).toContain('--pid')
    })

    test('completes process ids of the wrappers that run', () => {
      expect(complete('hide', '--pid', '')).toEqual(['4711', '4822'])
      expect(complete('hide', '--pid', '48')).toEqual(['4822'])
      expect(complete('hide', '--timeout', '')).toEqual([])
    })
  })
}

// Bash cuts words at = and @, too.
describe.runIf(process.platform !== 'win32')('bash, where it cuts words', () => {
  const complete = (...words: string[]) => workplace.complete('bash', ...words)

  test('completes each argument once, and no value', () => {
    expect(complete('--pid', '=', '4711', 'ope')).toEqual(['openworkout'])
    expect(complete('setcustomid', 'userid', '=', '5', '')).toEqual(['customid='])
    expect(complete('setcustomid', 'userid', '=')).toEqual([])
    expect(complete('setcustomid', 'userid', '=', 'cust')).toEqual([])
  })

  test('completes process ids and files', () => {
    expect(complete('hide', '--pid', '=')).toEqual(['4711', '4822'])
    expect(complete('hide', '--pid', '=', '48')).toEqual(['4822'])
    expect(complete('selectperson', '@', 'per')).toEqual(['person.json'])
    expect(complete('selectperson', 'profiledata', '=@', 'prof')).toEqual(['profile.json'])
  })

  test('completes options where a command has no arguments', () => {
    expect(complete('hide', '')).toContain('--pid')
  })
})

const whole: readonly (readonly [CompletingShell, string])[] = [
  // Zsh offers what comes after the @, which it keeps.
  ['zsh', ''],
  ['fish', '@'],
]
for (const [shell, kept] of process.platform === 'win32' ? [] : whole)
  describe.runIf(needed || isInstalled(shell))(`${shell}, which keeps words whole`, () => {
    const complete = (...words: string[]) => workplace.complete(shell, ...words)

    test('completes each argument once, and no value', () => {
      expect(complete('setcustomid', 'userid=5', '')).toEqual(['customid='])
      expect(complete('setcustomid', 'userid=')).not.toContain('customid=')
    })

    test('completes files', () => {
      expect(complete('selectperson', '@per')).toEqual([`${kept}person.json`])
      const file = kept === '' ? 'profile.json' : 'profiledata=@profile.json'
      expect(complete('selectperson', 'profiledata=@prof')).toEqual([file])
    })
  })

describe('the script', () => {
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
