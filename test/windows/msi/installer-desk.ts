import { lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Brand } from '../../../packages/protocol-core/src/wrapper/brand.ts'
import { makeInstaller } from '../../../packages/wrapper-pack/src/msi/make-installer.ts'
import { runInWindows } from '../bundle.ts'
import { isWindowsItself, openWindowsMachine, pathOnDriveC, windowsPath } from '../wine/windows-machine.ts'

/** Part of the registry: the user's or the machine's. */
type Hive = 'HKCU' | 'HKLM'

/** A Windows for trying installers of one brand. None is installed at its start and end. */
export type InstallerDesk = Awaited<ReturnType<typeof openInstallerDesk>>

const queryInstaller = fileURLToPath(new URL('../native/query-installer.ts', import.meta.url))

/** Exit code of Windows Installer for what it refuses, and what fails. Wine reports its lowest 8 bits. */
export const fatalError = isWindowsItself ? 1603 : 1603 & 0xff

const upgradeCode = 'B3C5B0F6-6D0E-5A0C-8D7B-0F9C1B6E2A11'

/** Opens a desk. */
export async function openInstallerDesk(brand: Brand) {
  await using made = new AsyncDisposableStack()
  const windows = made.use(await openWindowsMachine())
  const folder = await mkdtemp(join(tmpdir(), 'installer-desk-'))
  made.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const { home } = windows
  await separateDesktop(join(home, 'Desktop'))
  const key = (hive: Hive) => `${hive}\\${brand.registryKey}`
  const isThere = async (hive: Hive) => (await windows.run('reg.exe', ['query', key(hive)])).exitCode === 0
  const isLeftOver = { HKCU: await isThere('HKCU'), HKLM: await isThere('HKLM') }
  const msis = new Set<string>()
  const variables: Record<string, string> = {}
  /** Runs Windows Installer without questions, and prints the log of what fails. @returns its exit code, see {@link fatalError} */
  const msiexec = async (action: '/i' | '/x', msi: string, ...properties: string[]) => {
    const argv = [action, windowsPath(msi), ...properties, '/qn']
    if (!isWindowsItself) return (await windows.run('msiexec.exe', argv, { env: variables })).exitCode
    const log = join(folder, 'msiexec.log')
    // It takes quotes around a value, and not around name and value.
    const quoted = [...argv, '/l*v', log].map(word => word.replace(/^([A-Z]+=)?(.* .*)$/, '$1"$2"'))
    const { exitCode } = await windows.run('msiexec.exe', quoted, { isVerbatim: true })
    const text = exitCode === 0 ? '' : await readFile(log, 'utf16le').catch(String)
    // Behind the first failure comes what it undoes.
    if (text !== '') console.info(quoted.join(' '), text.split('Return value 3')[0]?.slice(-4_000))
    return exitCode
  }
  /** Runs statements of Windows Installer's SQL on a package. @returns the rows of those that ask */
  const query = (msi: string, ...statements: string[]) => {
    const argv = [msi, Buffer.from(JSON.stringify(statements)).toString('base64')]
    return runInWindows<string[][]>(windows, queryInstaller, folder, argv)
  }
  /** Removes it for this user, and for all. */
  const removeAll = async (msi: string, { HKCU, HKLM }: Readonly<Record<Hive, boolean>>) => {
    if (HKCU) await msiexec('/x', msi)
    // Windows knows for whom a product is installed.
    if (HKLM) await msiexec('/x', msi, 'ALLUSERS=1')
  }
  /** Whose and where → folder. Wine puts those of an installation for all users into the user's. */
  const places = {
    ...placesOf('', home, join(home, 'AppData', 'Roaming')),
    ...(isWindowsItself && placesOf('all users: ', process.env.PUBLIC, process.env.ProgramData)),
  }
  const links = async () => {
    const found = Object.entries(places).map(async ([place, path]) => {
      const names = (await readdir(path)).filter(name => name.endsWith('.lnk'))
      return names.map(name => `${place}/${name}`)
    })
    return (await Promise.all(found)).flat()
  }
  /** Those that no installer has made. */
  let others: readonly string[] | undefined
  made.defer(async () => {
    const left = { HKCU: await isThere('HKCU'), HKLM: await isThere('HKLM') }
    for (const msi of msis) await removeAll(msi, left)
  })
  const owned = made.move()
  return {
    windows,
    folder,
    home,
    /** The Windows path of a path on drive C. */
    onWindows: (path: string) => pathOnDriveC(windows, path),
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
      const actions = isElevated
        ? []
        : await query(msi, 'SELECT `Action`, `Condition` FROM `InstallExecuteSequence`')
      await query(msi, ...tellOfUpgrades(), ...addFailures(), ...tellOfPlainUser(actions))
      msis.add(msi)
      // Left by a test run that was killed.
      await removeAll(msi, isLeftOver)
      others ??= await links()
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
    /** Shortcuts that installers have made, as `<place>/<name>`. */
    shortcuts: async () => (await links()).filter(link => !others?.includes(link)),
    /** All files below a folder, relative and in order; `undefined` when the folder is missing. */
    async files(path: string): Promise<readonly string[] | undefined> {
      const entries = await readdir(path, { recursive: true, withFileTypes: true }).catch(() => undefined)
      return entries
        ?.filter(entry => entry.isFile())
        .map(entry =>
          join(entry.parentPath, entry.name)
            .slice(path.length + 1)
            .replaceAll('\\', '/'),
        )
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

/** Folders of shortcuts. */
function placesOf(whose: string, home = '', data = ''): Readonly<Record<string, string>> {
  return {
    [`${whose}desktop`]: join(home, 'Desktop'),
    [`${whose}start menu`]: join(data, 'Microsoft', 'Windows', 'Start Menu', 'Programs'),
  }
}

/**
 * Windows sets a property in the removal of a replaced version. Wine passes only the table's column `Remove` to that
 * removal, so the property is added there.
 */
function tellOfUpgrades(): readonly string[] {
  if (isWindowsItself) return []
  return [
    "UPDATE `Upgrade` SET `Remove` = 'ALL UPGRADINGPRODUCTCODE=1' WHERE `ActionProperty` = 'OLDERINSTALLED'",
  ]
}

/**
 * Lets an installer fail on request: with `FAILS=early` behind the question about files in use, with `FAILS=late` among its changes, when it
 * has suspended wrappers of all users.
 */
function addFailures(): readonly string[] {
  // Type 19 shows a message and fails; 34 runs a command, with 1024 among the changes.
  const failures = [
    ['early', 19, '', 'No.', 1450],
    ['late', 34 + 1024, 'TARGETDIR', 'cmd.exe /c exit 1', 1545],
  ] as const
  return failures.flatMap(([when, type, source, target, place]) => [
    `INSERT INTO \`CustomAction\` (\`Action\`, \`Type\`, \`Source\`, \`Target\`) VALUES ('Fail.${when}', ${type}, '${source}', '${target}')`,
    `INSERT INTO \`InstallExecuteSequence\` (\`Action\`, \`Condition\`, \`Sequence\`) VALUES ('Fail.${when}', 'FAILS="${when}"', ${place})`,
  ])
}

/**
 * Wine treats everyone as an elevated administrator, and the user of a runner is one. Only Windows Installer sets that property, so the
 * actions ask for another.
 */
function tellOfPlainUser(actions: readonly (readonly string[])[]): readonly string[] {
  const [asked, unasked] = ['NOT MsiRunningElevated', 'NOT TAKENFORELEVATED']
  return actions
    .filter(([, condition]) => condition?.includes(asked))
    .map(
      ([action, condition]) =>
        `UPDATE \`InstallExecuteSequence\` SET \`Condition\` = '${condition?.replace(asked, unasked)}' WHERE \`Action\` = '${action}'`,
    )
}
