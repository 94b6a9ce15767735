import { describe, expect, test } from 'vitest'
import { ownCommand, processFacts } from './note-installation.ts'

const node = { execPath: '/usr/bin/node', script: '/opt/w/cli.js' }

describe('the command that restarts a program', () => {
  test('[4.2-path] is the executable alone when it is complete', () => {
    const facts = { execPath: 'C:\\W\\Service.Client.WebWrapper.exe', execArgv: [], script: undefined }
    expect(ownCommand(facts)).toEqual(['C:\\W\\Service.Client.WebWrapper.exe'])
  })

  test.each<[string, string[], string[]]>([
    ['nothing', [], []],
    [
      'which sources it loads',
      ['-C', 'a', '--conditions=b', '--conditions', 'c'],
      ['-C', 'a', '--conditions=b', '--conditions', 'c'],
    ],
    ['whom it trusts', ['--use-system-ca'], ['--use-system-ca']],
    ['no debugger', ['--inspect=9229', '--inspect-brk', '--watch', '-C', 'a'], ['-C', 'a']],
    ['no other code', ['--import', '/tmp/a.mjs', '-r', '/tmp/b.js', '--eval=1'], []],
    ['no option without its value', ['-C'], []],
  ])('includes of Node’s options %s', (_title, execArgv, kept) => {
    expect(ownCommand({ ...node, execArgv })).toEqual([node.execPath, ...kept, node.script])
  })

  test('is known for this process', () => {
    expect(processFacts()).toMatchObject({
      execPath: process.execPath,
      script: expect.stringMatching(/^\/|\\/),
    })
  })
})
