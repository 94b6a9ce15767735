import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { defineBrand } from '../../packages/protocol-core/src/wrapper/brand.ts'
import { fatalError, type InstallerDesk, openInstallerDesk } from './msi/installer-desk.ts'
import { isWindowsItself } from './wine/windows-machine.ts'

const brand = defineBrand({
  ...{ name: 'Desk', vendor: 'Desk Health AS', displayName: 'Åse & "Łódź" [1]' },
  registryKey: 'Software\\Desk Health (Øst & Vest)\\Web Wrapper',
})
const shortcutsOf = (whose = '') =>
  ['desktop', 'start menu'].map(place => `${whose}${place}/Åse & -Łódź- [1].lnk`)
const shortcuts = shortcutsOf()
const delivered = [brand.executable, `${brand.configFile}.default`, 'providers/Æ Ł [1] & co.mjs']

let desk: InstallerDesk
let msi: Record<'old' | 'rebuilt' | 'newer' | 'elevated', string>
let runsFile: string
let usualFolder: string
let executable: string

beforeAll(async () => {
  desk = await openInstallerDesk(brand)
  runsFile = join(desk.windows.driveC, 'installer-runs.txt')
  usualFolder = join(desk.home, 'AppData', 'Roaming', brand.vendor, brand.application)
  const packed = join(desk.folder, 'packed')
  await mkdir(join(packed, 'providers'), { recursive: true })
  const source = fileURLToPath(new URL('msi/stand-in.c', import.meta.url))
  executable = join(packed, brand.executable)
  await promisify(execFile)('x86_64-w64-mingw32-gcc', ['-municode', '-mwindows', '-o', executable, source])
  await writeFile(join(packed, brand.configFile), '<configuration/>\n')
  await writeFile(join(packed, 'providers', 'Æ Ł [1] & co.mjs'), '')
  const make = (version: string) => desk.make(packed, version)
  const former = { old: await make('3.1.4.1'), rebuilt: await make('3.1.4.2'), newer: await make('3.2.0.0') }
  msi = { ...former, elevated: await desk.make(packed, '3.3.0.0', true) }
})
afterAll(async () => {
  await desk?.[Symbol.asyncDispose]()
  if (runsFile) await rm(runsFile, { force: true })
})
beforeEach(() => rm(runsFile, { force: true }))

/** The arguments of each start of the executable, in order. */
async function runs(): Promise<string[]> {
  return (await readFile(runsFile, 'utf8').catch(() => '')).split('\n').slice(0, -1)
}

test('it installs into the vendor’s folder of the roaming data, and its removal leaves nothing', async () => {
  expect(await desk.msiexec('/i', msi.old)).toBe(0)
  expect(await desk.files(usualFolder)).toEqual(delivered)
  const folder = `${desk.onWindows(usualFolder)}\\`
  expect(await desk.registry()).toEqual({
    ...{ InstallDir: folder, path: folder, version: '3.1.4.1' },
    settings: `${brand.configFile}.default`,
  })
  expect(await desk.shortcuts()).toEqual(shortcuts)
  // As a logon script does each day.
  expect(await desk.msiexec('/i', msi.old)).toBe(0)
  expect(await runs()).toEqual([])

  expect(await desk.msiexec('/x', msi.old)).toBe(0)
  expect(await desk.files(dirname(usualFolder))).toBeUndefined()
  expect(await desk.registry()).toBeUndefined()
  expect(await desk.shortcuts()).toEqual([])
  expect(await runs()).toEqual(['installer suspend', 'installer forget'])
})

test('it stays in a chosen folder through upgrades, refuses a lower version, and uninstalls from there', async () => {
  const own = join(desk.windows.driveC, 'Ønsket mappe', 'Wrapper 3')
  const property = 'INSTALLDIR=C:\\Ønsket mappe\\Wrapper 3'
  expect(await desk.msiexec('/i', msi.old, property)).toBe(0)
  expect(await desk.files(own)).toEqual(delivered)
  const noted = { InstallDir: 'C:\\Ønsket mappe\\Wrapper 3\\', path: 'C:\\Ønsket mappe\\Wrapper 3\\' }

  // Windows Installer ignores the fourth part, so this is an ordinary upgrade.
  expect(await desk.msiexec('/i', msi.rebuilt)).toBe(0)
  expect(await desk.registry()).toMatchObject({ ...noted, version: '3.1.4.2' })
  expect(await runs()).toEqual(['installer suspend', 'installer resume'])
  expect(await desk.msiexec('/i', msi.newer)).toBe(0)
  expect(await desk.registry()).toMatchObject({ ...noted, version: '3.2.0.0' })
  expect(await desk.files(own)).toEqual(delivered)
  expect(await desk.files(usualFolder)).toBeUndefined()
  expect(await desk.shortcuts()).toEqual(shortcuts)

  await rm(runsFile)
  expect(await desk.msiexec('/i', msi.old)).toBe(fatalError)
  expect(await desk.registry()).toMatchObject({ ...noted, version: '3.2.0.0' })
  expect(await desk.files(own)).toEqual(delivered)
  expect(await runs()).toEqual([])

  expect(await desk.msiexec('/x', msi.newer)).toBe(0)
  expect(await desk.files(own)).toBeUndefined()
  expect(await desk.registry()).toBeUndefined()
  expect(await desk.shortcuts()).toEqual([])
  await rm(dirname(own), { recursive: true })
})

test('for all users it installs below Program Files, and runs there alone as the system', async () => {
  const forAll = 'ALLUSERS=1'
  // As /fa does, which Wine has for product codes alone.
  const repair = ['REINSTALL=ALL', 'REINSTALLMODE=amus']
  const folder = join(desk.windows.driveC, 'Program Files', brand.vendor, brand.application)
  const installed = async () => ({
    files: await desk.files(folder),
    shortcuts: await desk.shortcuts(),
    ...(await desk.registry('HKLM')),
  })
  const path = `C:\\Program Files\\${brand.vendor}\\${brand.application}\\`
  const expected = {
    files: delivered,
    shortcuts: isWindowsItself ? shortcutsOf('all users: ') : shortcuts,
    ...{ InstallDir: path, path, settings: `${brand.configFile}.default` },
  }
  // Where users write, one would change what another runs.
  for (const place of ['C:\\Everybody', 'C:\\Program Files\\..\\Everybody'])
    expect(await desk.msiexec('/i', msi.old, forAll, `INSTALLDIR=${place}`)).toBe(fatalError)
  expect(await desk.msiexec('/i', msi.old, forAll)).toBe(0)
  expect(await installed()).toEqual({ ...expected, version: '3.1.4.1' })
  expect(await desk.msiexec('/i', msi.old, forAll)).toBe(0)
  expect(await runs()).toEqual([])

  const both = ['installer suspend --all-desktops', 'installer resume --all-desktops']
  expect(await desk.msiexec('/i', msi.newer, forAll)).toBe(0)
  expect(await installed()).toEqual({ ...expected, version: '3.2.0.0' })
  expect(await runs()).toEqual(both)
  expect(await desk.msiexec('/i', msi.old, forAll)).toBe(fatalError)

  await writeFile(join(folder, brand.executable), 'damaged')
  expect(await desk.msiexec('/i', msi.newer, forAll, ...repair)).toBe(0)
  expect(await readFile(join(folder, brand.executable))).toEqual(await readFile(executable))
  expect(await installed()).toEqual({ ...expected, version: '3.2.0.0' })
  // Any user may begin a repair, so it closes nobody's wrapper.
  expect(await runs()).toEqual(both)

  await rm(runsFile)
  expect(await desk.msiexec('/x', msi.newer, forAll)).toBe(0)
  expect(await desk.files(dirname(folder))).toBeUndefined()
  expect(await desk.registry('HKLM')).toBeUndefined()
  expect(await desk.shortcuts()).toEqual([])
  expect(await runs()).toEqual([both[0]])
  expect([await desk.registry(), await desk.files(dirname(usualFolder))]).toEqual([undefined, undefined])
})

test('an installation or removal that fails resumes what it has suspended', async () => {
  const [forAll, early, late] = ['ALLUSERS=1', 'FAILS=early', 'FAILS=late']
  expect(await desk.msiexec('/i', msi.old)).toBe(0)
  for (const [action, file, when] of [['/i', msi.newer, early] as const, ['/x', msi.old, late] as const]) {
    expect(await desk.msiexec(action, file, when)).not.toBe(0)
    expect(await runs()).toEqual(['installer suspend', 'installer resume'])
    expect(await desk.registry()).toMatchObject({ version: '3.1.4.1' })
    await rm(runsFile)
  }
  expect(await desk.msiexec('/x', msi.old)).toBe(0)
  await rm(runsFile)

  expect(await desk.msiexec('/i', msi.old, forAll)).toBe(0)
  expect(await desk.msiexec('/x', msi.old, forAll, late)).not.toBe(0)
  expect(await runs()).toEqual(['installer suspend --all-desktops', 'installer resume --all-desktops'])
  expect(await desk.registry('HKLM')).toMatchObject({ version: '3.1.4.1' })
  expect(await desk.msiexec('/x', msi.old, forAll)).toBe(0)
})

test('for a user it installs into the local data on request', async () => {
  const folder = join(desk.home, 'AppData', 'Local', 'Programs', brand.vendor, brand.application)
  expect(await desk.msiexec('/i', msi.old, 'INSTALLLOCAL=1')).toBe(0)
  expect(await desk.files(folder)).toEqual(delivered)
  expect(await desk.msiexec('/i', msi.newer)).toBe(0)
  expect(await desk.files(folder)).toEqual(delivered)
  expect(await desk.msiexec('/x', msi.newer)).toBe(0)
  expect(await desk.files(dirname(folder))).toBeUndefined()
  expect(await desk.registry()).toBeUndefined()
})

test('no file from a folder writable by the user runs for an elevated user', async () => {
  expect(await desk.msiexec('/i', msi.elevated)).toBe(0)
  expect(await desk.files(usualFolder)).toEqual(delivered)
  expect(await desk.msiexec('/x', msi.elevated)).toBe(0)
  expect(await runs()).toEqual([])
  expect(await desk.files(dirname(usualFolder))).toBeUndefined()
})
