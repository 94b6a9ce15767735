import { readFileSync } from 'node:fs'
import { argumentsOf, commandNames, sessionEventNames } from '@service-link/protocol-core'
import { memoryTerminal } from '@service-link/terminal/testing'
import { describe, expect, test } from 'vitest'
import { exitCodeOf } from '../../src/cli/explain-failure.ts'
import { runServicePipe } from '../../src/cli/run-service-pipe.ts'
import { optionsForPrefix, startServicePipeProcess } from '../support/service-pipe.ts'

const page = readFileSync(new URL('../../../../docs/reference/service-pipe.md', import.meta.url), 'utf8')

async function helpOf(...words: string[]): Promise<string> {
  const terminal = memoryTerminal()
  expect(await runServicePipe([...words, '--help'], terminal)).toBe(0)
  expect(terminal.told()).toBe('')
  return terminal.printed()
}

const names = ['list', 'status', 'watch', ...commandNames]

describe('the help', () => {
  test('of all: every command and option, on standard output', async () => {
    const { exitCode, stdout, stderr } = await startServicePipeProcess(['-h'], { prefix: null }).finished
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toBe(await helpOf())
    for (const name of names) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
  })

  test.each(names)('of %s: usage, arguments with types, example, answer, exit codes', async name => {
    const text = await helpOf(name.toUpperCase())
    expect(text).toContain(`Usage: service-pipe ${name}`)
    expect(text).toMatch(new RegExp(`^Example\n  service-pipe ${name}( |$)`, 'm'))
    expect(text).toMatch(/^Prints\n {2}\S/m)
    expect(text).toContain('Exit codes: 0 done')
    const command = commandNames.find(known => known === name)
    for (const { name: argument, type } of command ? argumentsOf(command) : [])
      expect(text).toContain(`${argument}=<${type}>`)
    if (name === 'watch') for (const event of sessionEventNames) expect(text).toContain(event)
    for (const option of [
      '--json',
      '--brand-name',
      '--vendor',
      '--application',
      '--pipe-prefix',
      '--registry-key',
      '--help',
    ])
      expect(text).toContain(option)
    if (name !== 'list')
      for (const option of ['--pid', '--start', '--timeout']) expect(text).toContain(option)
  })

  test.each([undefined, ...names])(
    'of %s: no line is wider than 90 characters or ends in a space',
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

  test('of a time-out: its purpose and default', async () => {
    const text = (await helpOf('hide')).replaceAll(/\s+/g, ' ')
    expect(text).toContain('longest wait once the arguments are read')
    expect(text).toContain('default 35, with --start 60 for the start and 35 more for the command')
  })

  test.each(names)('its example of %s can be typed', async name => {
    const [, example = ''] = /^Example\n {2}service-pipe (.*)$/m.exec(await helpOf(name)) ?? []
    const terminal = memoryTerminal()
    // Up to the named file, or the wrapper, which does not exist here.
    const prefix = optionsForPrefix(`nobody${process.pid}`)
    await runServicePipe([...example.split(' '), ...prefix], terminal)
    expect(terminal.told()).toMatch(
      /^$|\[ERR_PIPE_NOT_FOUND\]|The file after @ cannot be read: it does not exist/,
    )
  })
})

describe('the page of the reference', () => {
  const blocks = [...page.matchAll(/^```text\n(.*?)^```/gms)].map(([, text]) => text)

  test('prints the help unchanged', async () => {
    expect(blocks[0]).toBe(await helpOf())
    expect(blocks[1]).toBe(await helpOf('watch'))
  })

  test('prints a failure unchanged', async () => {
    const terminal = memoryTerminal()
    expect(await runServicePipe(['selectpersn'], terminal)).toBe(2)
    expect(blocks[2]).toBe(terminal.told())
  })

  test('lists each code with its own exit code', () => {
    const rows = [...page.matchAll(/^\| ([23]) +\| (.*?) +\|/gm)]
    expect(rows).toHaveLength(2)
    for (const [, exitCode, codes = ''] of rows)
      for (const [, code = ''] of codes.matchAll(/`(ERR_[A-Z_]+)`/g))
        expect(exitCodeOf(code)).toBe(Number(exitCode))
  })
})
