import { describe, expect, test } from 'vitest'
import { type Installation, parseInstallation } from './installation.ts'

const record: Installation = {
  path: '/opt/wrapper-3',
  version: '3.0.0.0',
  command: ['/usr/bin/node', '/opt/wrapper-3/cli.js'],
}

describe('parseInstallation', () => {
  test('reads a wrapper’s record, and drops unknown members', () => {
    expect(parseInstallation(JSON.stringify({ ...record, later: true }))).toEqual(record)
  })

  test.each<[string, unknown]>([
    ['a version of three numbers', { ...record, version: '3.0.0' }],
    ['white space around the version', { ...record, version: ' 3.0.0.0' }],
    ['no command', { ...record, command: [] }],
    ['an empty part of the command', { ...record, command: ['/usr/bin/node', ''] }],
    ['a NUL in the command', { ...record, command: ['/usr/bin/node\0'] }],
    ['half a character in the command', { ...record, command: ['/usr/bin/\ud800'] }],
    ['a command that is one text', { ...record, command: '/usr/bin/node' }],
    ['too long a command', { ...record, command: Array.from({ length: 17 }, () => '/usr/bin/node') }],
    ['no folder', { ...record, path: undefined }],
    ['a list', [record]],
  ])('refuses %s', (_title, value) => {
    expect(parseInstallation(JSON.stringify(value))).toBeUndefined()
  })

  test('refuses text that is not JSON', () => {
    expect(parseInstallation('{"path":')).toBeUndefined()
  })
})
