import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultBrand, defineBrand, type Installation, parseInstallation } from '@service-link/protocol-core'
import { openRegistry } from '@service-link/protocol-core/windows'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { WrapperEvent } from '../log/events.ts'
import {
  forgetRegistry,
  hasBrandName,
  noteAside,
  noteInRegistry,
  noteInstallation,
  ownCommand,
  processFacts,
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

  test('[4.2-path] elsewhere too, if the file cannot be written', async () => {
    const file = join(folder, 'no-folder')
    await writeFile(file, '')
    const noted: Installation[] = []
    const noting = noteInstallation(installation(file), async (_brand, record) => void noted.push(record))
    await expect(noting).rejects.toMatchObject({ code: expect.stringMatching(/^(ENOTDIR|EEXIST|ENOENT)$/) })
    expect(noted).toHaveLength(1)
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

const path = 'C:\\Users\\Åse Øverås\\Wrapper 3'

test.each([
  ['the executable in any case', true, [`${path}\\service.client.webwrapper.EXE`]],
  ['a script that Node runs', false, ['C:\\Program Files\\nodejs\\node.exe', 'C:\\w\\cli.js']],
  ['an executable of another name', false, [`${path}\\journal.exe`]],
  ['an executable with arguments', false, [`${path}\\Service.Client.WebWrapper.exe`, 'C:\\w\\app']],
])('programs start by the brand’s name %s: %j', (_title, isNamed, command) => {
  expect(hasBrandName(defaultBrand, { path, version: '3.0.0.0', command })).toBe(isNamed)
})

describe.runIf(process.platform === 'win32')('[4.2-path] the registry', () => {
  const brand = defineBrand({ vendor: `Note Test ${process.pid}`, application: 'Test.Wrapper' })
  const key = brand.registryKey
  const registry = openRegistry()
  const values = () => Object.fromEntries(registry?.read('HKCU', key) ?? [])
  afterEach(() => {
    for (const hive of ['HKCU', 'HKLM'] as const) registry?.remove(hive, key, ['path', 'version'])
  })

  /** A folder with an executable. */
  async function install(name: string): Promise<string> {
    const at = join(folder, name)
    await mkdir(at, { recursive: true })
    await writeFile(join(at, brand.executable), '')
    return at
  }
  const start = (at: string, version: string) =>
    noteInRegistry(brand, { path: at, version, command: [join(at, brand.executable)] })

  test('keeps the installed wrapper when a copy starts elsewhere, and takes its next version', async () => {
    const [installed, copy] = [await install('installed'), await install('copy')]
    await start(installed, '3.0.0.0')
    await start(copy, '3.1.0.0')
    expect(values()).toEqual({ path: installed, version: '3.0.0.0' })
    await start(installed.toUpperCase(), '3.2.0.0')
    expect(values()).toMatchObject({ version: '3.2.0.0' })
    await rm(installed, { recursive: true })
    await start(copy, '3.1.0.0')
    expect(values()).toEqual({ path: copy, version: '3.1.0.0' })
    await forgetRegistry(brand)
    expect(values()).toEqual({})
  })

  test('has no value of the user beside an installation for all', async () => {
    const installed = await install('for all')
    registry?.write('HKLM', key, { path: installed, version: '3.0.0.0' })
    await start(installed, '3.0.0.0')
    await start(await install('copy'), '3.1.0.0')
    expect(values()).toEqual({})
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
