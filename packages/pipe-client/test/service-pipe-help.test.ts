import { readFileSync } from 'node:fs'
import { commandNames } from '@service-link/protocol-core'
import { describe, expect, test } from 'vitest'
import { exitCodeOf } from '../src/cli/exit-codes.ts'
import { allCommandFacts } from '../src/cli/facts/command-facts.ts'
import { optionFacts } from '../src/cli/facts/option-facts.ts'
import { runServicePipe } from '../src/cli/run-service-pipe.ts'
import { memoryTerminal } from './_memory-terminal.ts'
import { optionsForPrefix, runServicePipeProcess } from './_service-pipe.ts'

const page = readFileSync(new URL('../../../docs/reference/service-pipe.md', import.meta.url), 'utf8')

async function helpOf(...words: string[]): Promise<string> {
  const terminal = memoryTerminal()
  expect(await runServicePipe([...words, '--help'], terminal)).toBe(0)
  expect(terminal.told()).toBe('')
  return terminal.printed()
}

const names = allCommandFacts.map(({ name }) => name)

describe('the help', () => {
  test('of all: every command and option, on standard output', async () => {
    const { exitCode, stdout, stderr } = await runServicePipeProcess(['-h'])
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toBe(await helpOf())
    for (const name of [...commandNames, 'list', 'status', 'watch', 'completion'])
      expect(stdout).toMatch(new RegExp(`^  ${name}( |$)`, 'm'))
    for (const option of Object.keys(optionFacts)) expect(stdout).toContain(`--${option}`)
    expect(stdout).toContain('setcustomid userid=… customid=…')
  })

  test.each(names)('of %s: usage, arguments with types, example, answer, exit codes', async name => {
    const text = await helpOf(name.toUpperCase())
    expect(text).toContain(`Usage: service-pipe ${name}`)
    expect(text).toMatch(new RegExp(`^Example\n  service-pipe ${name}( |$)`, 'm'))
    expect(text).toMatch(/^Prints\n {2}\S/m)
    expect(text).toContain('Exit codes: 0 done')
    const facts = allCommandFacts.find(known => known.name === name)
    for (const { name: argument, type } of facts?.args ?? []) expect(text).toContain(`${argument}=<${type}>`)
    for (const word of facts?.words ?? []) expect(text).toContain(word)
  })

  test.each([undefined, ...names])(
    'of %s: no line is wider than 90 characters, or ends in a space',
    async name => {
      for (const line of (await helpOf(...(name ? [name] : []))).split('\n')) {
        expect(line.length).toBeLessThanOrEqual(90)
        expect(line).not.toMatch(/\s$/)
      }
    },
  )

  test('comes from the types of the command table', async () => {
    const text = await helpOf('selectperson')
    for (const line of ['  [userid=<integer>]', '  firstname=<text>', '  [profiledata=<JSON>]'])
      expect(text).toContain(line)
  })

  test('of completion: a line that bash 3.2 can read, and which shells were tried', async () => {
    const text = await helpOf('completion')
    // It reads nothing from `source <(…)`.
    expect(text).toContain('  bash        eval "$(service-pipe completion bash)"\n')
    expect(text.replaceAll(/\s+/g, ' ')).toContain('PowerShell is checked for its words, and was not run')
  })

  test('of a time: what it is for, and what it is where none is given', async () => {
    const text = (await helpOf('hide')).replaceAll(/\s+/g, ' ')
    expect(text).toContain('longest wait once the arguments are read')
    expect(text).toContain('default 35, with --start 60 for the start and 35 more for the command')
  })

  test.each(names)('its example of %s can be typed', async name => {
    const [, example = ''] = /^Example\n {2}service-pipe (.*)$/m.exec(await helpOf(name)) ?? []
    const terminal = memoryTerminal()
    // As far as the file that one of them names, and the wrapper that none of them finds.
    const prefix = name === 'completion' ? [] : optionsForPrefix(`nobody${process.pid}`)
    await runServicePipe([...example.split(' '), ...prefix], terminal)
    expect(terminal.told()).toMatch(
      /^$|\[ERR_PIPE_NOT_FOUND\]|The file after @ cannot be read: it does not exist/,
    )
  })
})

describe('the page of the reference', () => {
  const blocks = [...page.matchAll(/^```text\n(.*?)^```/gms)].map(([, text]) => text)

  test('prints the help as it is', async () => {
    expect(blocks[0]).toBe(await helpOf())
    expect(blocks[1]).toBe(await helpOf('watch'))
    expect(blocks[3]).toBe(await helpOf('completion'))
  })

  test('prints a failure as it is', async () => {
    const terminal = memoryTerminal()
    expect(await runServicePipe(['selectpersn'], terminal)).toBe(2)
    expect(blocks[2]).toBe(terminal.told())
  })

  test('tells the exit code of each code that has one of its own', () => {
    const rows = [...page.matchAll(/^\| ([23]) +\| (.*?) +\|/gm)]
    expect(rows).toHaveLength(2)
    for (const [, exitCode, codes = ''] of rows)
      for (const [, code = ''] of codes.matchAll(/`(ERR_[A-Z_]+)`/g))
        expect(exitCodeOf(code)).toBe(Number(exitCode))
  })
})
