import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { runInWindows } from './bundle.ts'
import { compileNative } from './native/compile-native.ts'
import type { LocateResult, LocateScenario } from './native/locate-wrappers.ts'
import { openWindowsMachine } from './wine/windows-machine.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const vendor = 'Locate Test'
const everyScript = 'Åse Øverås\\Мой врач\\Wrapper 3'
const text = (name: string, value: string) => ['/v', name, '/t', 'REG_SZ', '/d', value]
const missing: LocateResult = { code: 'ERR_PIPE_NOT_INSTALLED' }
const found = (folder: string, application: string, version?: string): LocateResult => ({
  path: `<folder>\\${folder}`,
  command: [`<folder>\\${folder}\\${application}.exe`],
  ...(version ? { version } : {}),
})

type Row = readonly [title: string, scenario: Omit<LocateScenario, 'vendor'>, expected: LocateResult]

const argv = ['firstname=Kåre "Æ"', 'lastname=van Dyk\\', '', 'queryexercises=low back', 'a=漢字 😀 %PATH%']
const rows: readonly Row[] = [
  [
    'that noted itself in a folder with blanks and in every script',
    { application: 'Noted', folders: [everyScript], notes: [[everyScript, '3.1.4.1']] },
    found(everyScript, 'Noted', '3.1.4.1'),
  ],
  [
    'whose brand has a registry key of its own',
    {
      application: 'Keyed',
      registryKey: `Software\\${vendor}\\Acme Health (Åse & Co.)\\Web Wrapper`,
      folders: [everyScript],
      notes: [[everyScript, '3.1.4.1']],
    },
    found(everyScript, 'Keyed', '3.1.4.1'),
  ],
  [
    'whose folder has per cent signs that are no variable',
    { application: 'PerCent', folders: ['100% %PATH%'], notes: [['100% %PATH%', '3.0.0.0']] },
    found('100% %PATH%', 'PerCent', '3.0.0.0'),
  ],
  [
    'whose folder is named by a variable',
    {
      application: 'Expanded',
      folders: [everyScript],
      values: [['/v', 'path', '/t', 'REG_EXPAND_SZ', '/d', `%LOCATE_FOLDER%\\${everyScript}`]],
    },
    found(everyScript, 'Expanded'),
  ],
  [
    'whose folder is a number',
    { application: 'Number', folders: [], values: [['/v', 'path', '/t', 'REG_DWORD', '/d', '1']] },
    missing,
  ],
  [
    'whose folder is not absolute',
    { application: 'Relative', folders: ['bin'], values: [text('path', 'bin')] },
    missing,
  ],
  [
    'whose executable is missing',
    { application: 'Removed', folders: [], notes: [['Removed', '3.0.0.0']] },
    missing,
  ],
  [
    'that is installed for all users, also behind an old value of this one',
    {
      application: 'Machine',
      folders: [everyScript],
      values: [text('path', '<folder>\\gone'), text('version', '2.0.0.0')],
      machineValues: [text('path', `<folder>\\${everyScript}`), text('version', '3.1.4.1')],
    },
    found(everyScript, 'Machine', '3.1.4.1'),
  ],
  [
    'that is then started, with arguments of every kind [4.3-grammar]',
    { application: 'Started', folders: [everyScript], notes: [[everyScript, '3.1.4.1']], launch: argv },
    {
      ...found(everyScript, 'Started', '3.1.4.1'),
      role: 'handed-over',
      launched: { runtime: argv, shell: argv },
    },
  ],
]

/** Brands that the example in C looks for too; it is built for the specification's brand. */
const native: Row = [
  'of the specification’s name, which the example in C finds too',
  {
    application: 'Service.Client.WebWrapper',
    folders: [everyScript],
    values: [['/v', 'path', '/t', 'REG_EXPAND_SZ', '/d', `%LOCATE_FOLDER%\\${everyScript}\\`]],
  },
  {
    path: `<folder>\\${everyScript}\\`,
    command: [`<folder>\\${everyScript}\\Service.Client.WebWrapper.exe`],
    native: `<folder>\\${everyScript}\\Service.Client.WebWrapper.exe`,
  },
]
const all = [...rows, native]

describe('on Windows a wrapper', () => {
  let results: readonly LocateResult[]

  beforeAll(async () => {
    const windows = await openWindowsMachine()
    const stage = await mkdtemp(join(tmpdir(), 'locate-'))
    const folder = await mkdtemp(join(windows.driveC, 'locate-'))
    const scenarios: LocateScenario[] = all.map(([, scenario]) => ({ vendor, ...scenario }))
    try {
      await writeFile(join(stage, 'scenarios.json'), JSON.stringify(scenarios))
      await compileNative([here('native/arguments.c')], join(stage, 'arguments.exe'), ['-municode'])
      const source = await readFile(here('../../conformance/c/find_executable.c'), 'utf8')
      // The test's registry key, apart from those of installed wrappers.
      const changed = source.replace('"Software\\\\Service\\\\', `"Software\\\\${vendor}\\\\`)
      expect(changed).not.toBe(source)
      await writeFile(join(stage, 'find_executable.c'), changed)
      await compileNative([join(stage, 'find_executable.c')], join(stage, 'find_executable.exe'))
      const argv = [stage, `C:\\${basename(folder)}`]
      results = await runInWindows(windows, here('native/locate-wrappers.ts'), stage, argv)
    } finally {
      for (const each of [stage, folder]) await rm(each, { recursive: true, force: true, maxRetries: 5 })
    }
  })

  test.each(all.map(([title, , expected], index) => [title, expected, index] as const))(
    '%s [4.2-path]',
    (_title, expected, index) => expect(results[index]).toEqual(expected),
  )
})
