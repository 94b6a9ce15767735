import { runInNewContext } from 'node:vm'
import { defineBrand } from '@service-link/protocol-core'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import { nameGuid } from '../brand/name-guid.ts'
import { shortcutName, versionAfter, writeWxs } from './write-wxs.ts'

const upgradeCode = '0F3A7D50-0D6A-5C8E-9E43-6C3B0A6E1D11'
const brand = defineBrand({
  ...{ name: 'Acme', vendor: 'Acme Health', application: 'Acme.Wrapper' },
  displayName: 'Åse & "Søn" <[1]> \'{x}\'',
})
const files = ['Acme.Wrapper.exe', 'Acme.Wrapper.exe.config', 'providers/a/æ [1] &.mjs']
const plan = { brand, version: '3.1.4.15', upgradeCode, installFolder: 'roaming' as const }

type Node = Readonly<Record<string, unknown>>
const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', parseAttributeValue: false })

/** Every element of a name, at any depth. */
function all(text: string, name: string): readonly Node[] {
  const found: Node[] = []
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, below] of Object.entries(value)) {
      if (key === name && !Array.isArray(value)) found.push(...(Array.isArray(below) ? below : [below]))
      walk(below)
    }
  }
  walk(parser.parse(text))
  return found
}

describe('the source of an installer', () => {
  const text = writeWxs(plan, files)

  test('is XML, and the same for the same content', () => {
    expect(XMLValidator.validate(text)).toBe(true)
    expect(writeWxs(plan, files)).toBe(text)
  })

  test('installs below the vendor’s folder of the roaming data for one user, of Program Files for all', () => {
    const places = all(text, 'CustomAction').filter(({ Property }) => Property === 'VENDORDIR')
    expect(places.map(({ Value }) => Value)).toEqual([
      '[ProgramFiles64Folder]Acme Health',
      '[LocalAppDataFolder]Programs\\Acme Health',
    ])
    expect(all(text, 'Condition').at(-1)?.['#text']).toMatch(
      / OR \(INSTALLDIR ~<< ProgramFiles64Folder AND NOT INSTALLDIR >< "\.\."\)$/,
    )
    expect(all(text, 'Package')).toMatchObject([{ InstallScope: 'perUser' }])
    expect(all(text, 'Directory')[0]).toMatchObject({
      Id: 'TARGETDIR',
      Directory: expect.arrayContaining([
        expect.objectContaining({
          Id: 'AppDataFolder',
          Directory: expect.objectContaining({
            Name: 'Acme Health',
            Directory: expect.objectContaining({ Id: 'INSTALLDIR', Name: 'Acme.Wrapper' }),
          }),
        }),
      ]),
    })
  })

  test('[4.2-path] records folder and version in the registry of the user or the machine', () => {
    const values = all(text, 'RegistryValue').map(({ Root, Key, Name, Value }) => [Root, Key, Name, Value])
    const key = 'Software\\Acme Health\\Acme.Wrapper'
    expect(values).toEqual([
      ['HKMU', key, 'InstallDir', '[INSTALLDIR]'],
      ['HKMU', key, 'path', '[INSTALLDIR]'],
      ['HKMU', key, 'version', '3.1.4.15'],
      ['HKMU', key, 'settings', 'Acme.Wrapper.exe.config.default'],
    ])
  })

  test('names every file unchanged, the settings file as its delivered copy', () => {
    expect(all(text, 'File').map(({ Name, Source }) => [Name, Source])).toEqual([
      ['æ [1] &.mjs', '$(var.Folder)/providers/a/æ [1] &.mjs'],
      ['Acme.Wrapper.exe', '$(var.Folder)/Acme.Wrapper.exe'],
      ['Acme.Wrapper.exe.config.default', '$(var.Folder)/Acme.Wrapper.exe.config'],
    ])
  })

  test('removes every folder once it is empty, inner ones first', () => {
    const ids = [...text.matchAll(/<RemoveFolder Id="(.+?)"/g)].map(([, id]) => id)
    const inner = [...text.matchAll(/<Directory Id="(d\..+?)"/g)].map(([, id]) => id?.replace('d.', 'r.'))
    expect(inner).toHaveLength(2)
    expect(ids).toEqual([...inner.reverse(), expect.stringMatching(/^r\./), 'Remove.VENDORDIR'])
  })

  test('has the display name in visible texts, and no property in formatted ones', () => {
    expect(all(text, 'Product')).toMatchObject([{ Name: brand.displayName, Manufacturer: 'Acme Health' }])
    const [launch] = all(text, 'Condition')
    expect(launch?.Message).toContain('[ProductName] is installed')
    expect(
      all(text, 'Shortcut').map(({ Directory, Name, Advertise }) => [Directory, Name, Advertise]),
    ).toEqual([
      ['ProgramMenuFolder', "Åse & -Søn- -[1]- '{x}'", 'yes'],
      ['DesktopFolder', "Åse & -Søn- -[1]- '{x}'", 'yes'],
    ])
  })

  test('has identities derived from path and version', () => {
    const guids = (source: string) => all(source, 'Component').map(({ Guid }) => Guid)
    const later = writeWxs({ ...plan, version: '3.1.4.16' }, files)
    expect(guids(later)).toEqual(guids(text))
    expect(new Set(guids(text)).size).toBe(guids(text).length)
    const products = [text, later].map(source => all(source, 'Product')[0]?.Id)
    expect(products).toEqual(['3.1.4.15', '3.1.4.16'].map(version => nameGuid(upgradeCode, version)))
    expect(new Set(products).size).toBe(2)
  })

  test('treats a version with the same first three parts as an upgrade', () => {
    expect(all(text, 'UpgradeVersion')).toMatchObject([
      { Minimum: '0.0.0', IncludeMinimum: 'yes', Maximum: '3.1.5', IncludeMaximum: 'no', OnlyDetect: 'no' },
      { Minimum: '3.1.5', IncludeMinimum: 'yes', OnlyDetect: 'yes' },
    ])
  })

  test('never fails with its executable, and runs it as the system for everybody’s installation only', () => {
    const runs = all(text, 'CustomAction').filter(({ ExeCommand }) => ExeCommand)
    expect(
      runs.map(({ ExeCommand, Execute, Impersonate, FileKey }) => [
        ExeCommand,
        Execute,
        Impersonate,
        FileKey,
      ]),
    ).toEqual([
      ['installer suspend', 'immediate', 'yes', undefined],
      ['installer resume', 'immediate', 'yes', undefined],
      ['installer resume', 'immediate', 'yes', undefined],
      ['installer resume', 'rollback', 'yes', 'WrapperExecutable'],
      ['installer resume --all-desktops', 'rollback', 'no', 'WrapperExecutable'],
      ['installer suspend --all-desktops', 'deferred', 'no', 'WrapperExecutable'],
      ['installer forget', 'deferred', 'yes', 'WrapperExecutable'],
      ['installer resume --all-desktops', 'deferred', 'no', 'WrapperExecutable'],
      ['installer resume', 'immediate', 'yes', 'WrapperExecutable'],
    ])
    expect(new Set(runs.map(({ Return }) => Return))).toEqual(new Set(['ignore']))
  })

  test('is refused for a name that would be read as a variable', () => {
    expect(() => writeWxs(plan, [...files, 'providers/$(Folder).mjs'])).toThrow(
      expect.objectContaining({ code: 'ERR_PACK' }),
    )
  })
})

describe('the conditions of its actions', () => {
  // The first four are those of the dialogs.
  const actions = all(writeWxs(plan, files), 'Custom').slice(4)
  const closing = ['SuspendWrapper', 'ResumeAfter.cancel', 'ResumeAfter.error', 'NoteChange']
  const user = { REMEMBEREDDIR: 'C:\\U\\', DELIVEREDSETTINGS: 'a.default' }
  const machine = { MACHINEDIR: 'C:\\P\\', ALLUSERS: '1' }
  const old = { OLDERINSTALLED: '{…}' }
  const goes = { Installed: '1', REMOVE: 'ALL' }
  const again = { Installed: '1', REINSTALL: 'ALL' }
  const chosen = { INSTALLDIR: 'D:\\' }

  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['first, for a user', {}, []],
    ['first, for a user, in the local data', { INSTALLLOCAL: '1' }, ['PlaceLocally']],
    [
      'in the local data, as before',
      { LocalAppDataFolder: 'C:\\L\\', REMEMBEREDDIR: 'C:\\L\\a\\', INSTALLDIR: 'C:\\L\\a\\' },
      ['PlaceLocally', 'NameInstalledExecutable'],
    ],
    ['first, for all', { ALLUSERS: '1', INSTALLLOCAL: '1' }, ['PlaceForEverybody']],
    [
      'upgrade for a user',
      { ...user, ...old },
      ['UseRememberedFolder', 'NameInstalledExecutable', ...closing, 'ResumeWrapper'],
    ],
    [
      'upgrade for a user, into a chosen folder',
      { ...user, ...old, ...chosen },
      ['NameInstalledExecutable', ...closing, 'ResumeWrapper'],
    ],
    [
      'upgrade of an integrator’s program',
      { REMEMBEREDDIR: 'C:\\U\\', ...old, ...chosen },
      ['NameInstalledExecutable', 'ResumeWrapper'],
    ],
    [
      'same package again, for a user',
      { ...user, Installed: '1' },
      ['UseRememberedFolder', 'NameInstalledExecutable'],
    ],
    [
      'same package again, for all',
      { ...machine, Installed: '1' },
      ['UseMachineFolder', 'PlaceForEverybody'],
    ],
    [
      'repair for a user',
      { ...user, ...again },
      ['UseRememberedFolder', 'NameInstalledExecutable', ...closing, 'RollBackWrapper', 'ResumeWrapper'],
    ],
    [
      'repair of one feature by Windows',
      { ...user, Installed: '1', REINSTALL: 'Wrapper' },
      ['UseRememberedFolder', 'NameInstalledExecutable'],
    ],
    [
      'removal for a user',
      { ...user, ...goes },
      ['UseRememberedFolder', 'NameInstalledExecutable', ...closing, 'RollBackWrapper', 'ForgetUser'],
    ],
    [
      'removal by an upgrade, for a user',
      { ...user, ...goes, UPGRADINGPRODUCTCODE: '{…}' },
      ['UseRememberedFolder', 'NameInstalledExecutable', 'RollBackWrapper'],
    ],
    [
      'upgrade for all',
      { ...machine, ...old },
      ['UseMachineFolder', 'PlaceForEverybody', 'ResumeEverywhere'],
    ],
    [
      'upgrade for all, of which the administrator has one too',
      { ...machine, ...user, ...old },
      ['UseMachineFolder', 'PlaceForEverybody', 'NameInstalledExecutable', 'ResumeEverywhere'],
    ],
    [
      'removal by an upgrade, for all',
      { ...machine, ...goes, UPGRADINGPRODUCTCODE: '{…}' },
      ['UseMachineFolder', 'PlaceForEverybody', 'RollBackEverywhere', 'SuspendEverywhere'],
    ],
    [
      'removal for all',
      { ...machine, ...goes },
      ['UseMachineFolder', 'PlaceForEverybody', 'RollBackEverywhere', 'SuspendEverywhere'],
    ],
    // Each user may begin one, with such words.
    ['repair for all', { ...machine, ...again, ...old }, ['UseMachineFolder', 'PlaceForEverybody']],
    [
      'end of an upgrade for a user, as the old version is gone',
      { ...user, ...old, FilesChange: '1' },
      ['UseRememberedFolder', 'NameInstalledExecutable', 'SuspendWrapper', 'NoteChange', 'ResumeWrapper'],
    ],
    [
      'upgrade for an elevated user',
      { ...user, ...old, MsiRunningElevated: '1' },
      ['NameInstalledExecutable'],
    ],
    [
      'removal for an elevated user',
      { ...user, ...goes, MsiRunningElevated: '1' },
      ['NameInstalledExecutable'],
    ],
  ])('%s', (_title, properties, expected) => {
    const ran = actions.filter(({ '#text': condition }) =>
      holds(String(condition), { LocalAppDataFolder: 'C:\\Local\\', ...properties }),
    )
    expect(ran.map(({ Action }) => Action)).toEqual(expected)
  })
})

/** Evaluates a condition of Windows Installer: names, `=`, `~<<`, NOT, AND, OR and parentheses. A missing property is false. */
function holds(condition: string, properties: Readonly<Record<string, string>>): boolean {
  const script = condition.replaceAll(
    /(\w+)(=| ~<< )("?)(\w+)\3|\w+/g,
    (word, name, operator, _quote, value) => {
      if (operator === '=') return String(properties[name] === value)
      if (name !== undefined) return String(properties[name]?.startsWith(properties[value] ?? '') ?? false)
      return { NOT: '!', AND: '&&', OR: '||' }[word as string] ?? String(word in properties)
    },
  )
  return runInNewContext(script)
}

test.each([
  ['3.1.4.15', '3.1.5'],
  ['3.1.65535.0', '3.2.0'],
  ['3.255.65535.0', '4.0.0'],
])('the version after %s is %s', (version, after) => {
  expect(versionAfter(version)).toBe(after)
})

test.each([
  ['Service', 'Service'],
  ['a/b\\c:*?"<>|d', 'a-b-c-d'],
  [' ..name. ', 'name'],
  ['...', 'Wrapper'],
])('the shortcut of %j is called %j', (name, file) => {
  expect(shortcutName(name)).toBe(file)
})
