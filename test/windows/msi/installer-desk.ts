import { execFile } from 'node:child_process'
import { lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Brand } from '../../../packages/protocol-core/src/wrapper/brand.ts'
import { makeInstaller } from '../../../packages/wrapper-pack/src/msi/make-installer.ts'
import { openWindowsMachine, windowsPath } from '../wine/windows-machine.ts'

/** Part of the registry: the user's or the machine's. */
type Hive = 'HKCU' | 'HKLM'

/** A Windows for trying installers of one brand. None is installed at its start and end. */
export type InstallerDesk = Awaited<ReturnType<typeof openInstallerDesk>>

const upgradeCode = 'B3C5B0F6-6D0E-5A0C-8D7B-0F9C1B6E2A11'

/** Opens a desk. */
export async function openInstallerDesk(brand: Brand) {
  await using made = new AsyncDisposableStack()
  const windows = made.use(await openWindowsMachine())
  const folder = await mkdtemp(join(tmpdir(), 'installer-desk-'))
  made.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const home = join(windows.driveC, 'users', userInfo().username)
  await separateDesktop(join(home, 'Desktop'))
  const key = (hive: Hive) => `${hive}\\${brand.registryKey}`
  const isThere = async (hive: Hive) => (await windows.run('reg.exe', ['query', key(hive)])).exitCode === 0
  const isLeftOver = { HKCU: await isThere('HKCU'), HKLM: await isThere('HKLM') }
  const msis = new Set<string>()
  /** Runs Windows Installer without questions. @returns its exit code modulo 256, as Wine reports it */
  const variables: Record<string, string> = {}
  const msiexec = async (action: '/i' | '/x', msi: string, ...properties: string[]) => {
    const argv = [action, windowsPath(msi), ...properties, '/q']
    return (await windows.run('msiexec.exe', argv, { env: variables })).exitCode
  }
  /** Removes it for this user, and for all. */
  const removeAll = async (msi: string, { HKCU, HKLM }: Readonly<Record<Hive, boolean>>) => {
    if (HKCU) await msiexec('/x', msi)
    // Windows knows for whom a product is installed.
    if (HKLM) await msiexec('/x', msi, 'ALLUSERS=1')
  }
  made.defer(async () => {
    const left = { HKCU: await isThere('HKCU'), HKLM: await isThere('HKLM') }
    for (const msi of msis) await removeAll(msi, left)
  })
  const owned = made.move()
  return {
    windows,
    folder,
    home,
    /** Of the environment of installers, and so of what they start. */
    variables,
    msiexec,
    /** Makes the installer of a version, by default for a user who is not elevated. @returns its absolute path */
    async make(packed: string, version: string, isElevated?: true): Promise<string> {
      const plan = {
        brand,
        version,
        upgradeCode,
        icon: undefined,
        entry: undefined,
        installFolder: 'roaming' as const,
        browser: undefined,
        sign: undefined,
        language: undefined,
        texts: {},
      }
      const msi = await makeInstaller({
        plan: { ...plan, settings: {}, providerModules: [] },
        folder: packed,
        output: folder,
      })
      await tellOfUpgrades(msi)
      await addFailures(msi)
      if (!isElevated) await tellOfPlainUser(msi)
      msis.add(msi)
      // Left by a test run that was killed.
      await removeAll(msi, isLeftOver)
      return msi
    },
    /** The brand's values in the registry of the user or the machine; `undefined` without a key. */
    async registry(hive: Hive = 'HKCU'): Promise<Readonly<Record<string, string>> | undefined> {
      const file = join(folder, 'key.reg')
      await rm(file, { force: true })
      await windows.run('reg.exe', ['export', key(hive), windowsPath(file), '/y'])
      const text = await readFile(file, 'utf16le').catch(() => undefined)
      if (text === undefined) return undefined
      const values = text.matchAll(/^"(.+?)"="(.*)"\r?$/gm)
      return Object.fromEntries(
        [...values].map(([, name = '', value = '']) => [name, value.replaceAll('\\\\', '\\')]),
      )
    },
    /** Shortcuts, relative to the user's folder. Wine puts those of an installation for all users there too. */
    async shortcuts(): Promise<readonly string[]> {
      const menu = 'AppData/Roaming/Microsoft/Windows/Start Menu/Programs'
      const found = await Promise.all(
        ['Desktop', menu].map(async path => {
          const names = (await readdir(join(home, path))).filter(name => name.endsWith('.lnk'))
          return names.map(name => `${path}/${name}`)
        }),
      )
      return found.flat()
    },
    /** All files below a folder, relative and in order; `undefined` when the folder is missing. */
    async files(path: string): Promise<readonly string[] | undefined> {
      const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined)
      return entries
        ?.filter(entry => entry.isFile())
        .map(entry => join(entry.parentPath, entry.name).slice(path.length + 1))
        .sort()
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  }
}

/** Wine links the desktop to the home of the host's user. */
async function separateDesktop(desktop: string): Promise<void> {
  if (!(await lstat(desktop)).isSymbolicLink()) return
  await rm(desktop)
  await mkdir(desktop)
}

/**
 * Windows sets a property in the removal of a replaced version. Wine passes only the table's column `Remove` to that
 * removal, so the property is added there.
 */
async function tellOfUpgrades(msi: string): Promise<void> {
  const change =
    "UPDATE `Upgrade` SET `Remove` = 'ALL UPGRADINGPRODUCTCODE=1' WHERE `ActionProperty` = 'OLDERINSTALLED'"
  await promisify(execFile)('msibuild', [msi, '-q', change])
}

/**
 * Lets an installer fail on request: with `FAILS=early` behind the question about files in use, with `FAILS=late` among its changes, when it
 * has suspended wrappers of all users.
 */
async function addFailures(msi: string): Promise<void> {
  // Type 19 shows a message and fails; 34 runs a command, with 1024 among the changes.
  const failures = [
    ['early', 19, '', 'No.', 1450],
    ['late', 34 + 1024, 'TARGETDIR', 'cmd.exe /c exit 1', 1545],
  ] as const
  for (const [when, type, source, target, place] of failures) {
    const rows = [
      `CustomAction\` (\`Action\`, \`Type\`, \`Source\`, \`Target\`) VALUES ('Fail.${when}', ${type}, '${source}', '${target}')`,
      `InstallExecuteSequence\` (\`Action\`, \`Condition\`, \`Sequence\`) VALUES ('Fail.${when}', 'FAILS="${when}"', ${place})`,
    ]
    for (const row of rows) await promisify(execFile)('msibuild', [msi, '-q', `INSERT INTO \`${row}`])
  }
}

/** Wine treats everyone as an elevated administrator and lets only itself set that property. */
async function tellOfPlainUser(msi: string): Promise<void> {
  const { stdout } = await promisify(execFile)('msiinfo', ['export', msi, 'InstallExecuteSequence'])
  for (const [action, condition] of stdout.split(/\r?\n/).map(row => row.split('\t'))) {
    const [asked, unasked] = ['NOT MsiRunningElevated', 'NOT TAKENFORELEVATED']
    if (!condition?.includes(asked)) continue
    const change = `UPDATE \`InstallExecuteSequence\` SET \`Condition\` = '${condition.replace(asked, unasked)}' WHERE \`Action\` = '${action}'`
    await promisify(execFile)('msibuild', [msi, '-q', change])
  }
}
