import { readFileSync } from 'node:fs'
import { argumentsOf, commandNames, sessionEventNames } from '@service-link/protocol-core'
import { memoryTerminal } from '@service-link/terminal/testing'
import { describe, expect, test } from 'vitest'
import { runServicePipe } from '../../src/cli/run-service-pipe.ts'
import { optionsForPrefix } from '../support/service-pipe.ts'

const page = readFileSync(new URL('../../../../docs/reference/service-pipe.md', import.meta.url), 'utf8')

async function helpOf(...words: string[]): Promise<string> {
  const terminal = memoryTerminal()
  expect(await runServicePipe([...words, '--help'], terminal)).toBe(0)
  expect(terminal.told()).toBe('')
  return terminal.printed()
}

const names = ['list', 'status', 'watch', ...commandNames]

describe('the help', () => {
  test('of all names every command, on standard output', async () => {
    const text = await helpOf()
    for (const name of names) expect(text).toMatch(new RegExp(`^  ${name} `, 'm'))
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
    const needsSession = /^(status|watch|query\w+)$/.test(name)
    expect(/Needs\s+a\s+wrapper\s+of\s+version/.test(text)).toBe(needsSession)
    if (name === 'watch') for (const event of sessionEventNames) expect(text).toContain(event)
    for (const line of text.split('\n')) expect(line).toMatch(/^.{0,89}\S$|^$/)
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

  test('prints a failure unchanged', async () => {
    const terminal = memoryTerminal()
    expect(await runServicePipe(['selectpersn'], terminal)).toBe(2)
    expect(blocks[0]).toBe(terminal.told())
  })
})
