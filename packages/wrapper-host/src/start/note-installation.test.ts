import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultBrand, type Installation, parseInstallation } from '@service-link/protocol-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WrapperEvent } from '../log/events.ts'
import {
  noteAside,
  noteInstallation,
  ownCommand,
  processFacts,
  registryArguments,
} from './note-installation.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'install-test-'))
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

const installation = (userFolder: string) => ({
  brand: defaultBrand,
  version: '3.0.0.0',
  command: ['/usr/bin/node', '-C', 'a', '/opt/w 3/cli.js'],
  userFolder,
})

describe('a wrapper records its place', () => {
  test('[4.2-path] in a private file, which replaces the former', async () => {
    const userFolder = join(folder, 'new', 'data')
    const noted: Installation[] = []
    const noteMore = async (_brand: unknown, record: Installation) => void noted.push(record)
    const record = {
      path: '/opt/w 3',
      version: '3.0.0.0',
      command: ['/usr/bin/node', '-C', 'a', '/opt/w 3/cli.js'],
    }
    await noteInstallation({ ...installation(userFolder), version: '2.9.0.0' }, noteMore)
    await noteInstallation(installation(userFolder), noteMore)
    const file = join(userFolder, 'install.json')
    expect(parseInstallation(await readFile(file, 'utf8'))).toEqual(record)
    expect(noted.at(-1)).toEqual(record)
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  test('and reports a failure in a word', async () => {
    const events: WrapperEvent[] = []
    const file = join(folder, 'file')
    await noteInstallation(installation(file))
    await noteAside(installation(join(file, 'install.json')), event => events.push(event))
    expect(events).toEqual([
      { type: 'installation-unnoted', reason: expect.stringMatching(/^(ENOTDIR|EEXIST|ENOENT)$/) },
    ])
  })
})

describe('on Windows', () => {
  const path = 'C:\\Users\\Åse Øverås\\Wrapper 3'
  const record = (...command: string[]): Installation => ({ path, version: '3.0.0.0', command })

  test('[4.2-path] the registry has folder and version of the executable', () => {
    const key = 'HKCU\\Software\\Service\\Service.Client.WebWrapper'
    const commands = registryArguments(defaultBrand, record(`${path}\\service.client.webwrapper.EXE`))
    expect(commands).toEqual([
      ['add', key, '/v', 'version', '/t', 'REG_SZ', '/d', '3.0.0.0', '/f'],
      ['add', key, '/v', 'path', '/t', 'REG_SZ', '/d', path, '/f'],
    ])
  })

  test.each([
    ['a script that Node runs', ['C:\\Program Files\\nodejs\\node.exe', 'C:\\w\\cli.js']],
    ['an executable of another name', [`${path}\\journal.exe`]],
    ['an executable that needs arguments', [`${path}\\Service.Client.WebWrapper.exe`, 'C:\\w\\app']],
  ])('the registry omits %s', (_title, command) => {
    expect(registryArguments(defaultBrand, record(...command))).toEqual([])
  })
})

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
