import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packTargets } from '../../packages/wrapper-pack/src/pack-plan.ts'
import { openEdge } from './browser/open-edge.ts'
import { bundleForWindows } from './bundle.ts'
import { packedBrand, packForWindows } from './packed-wrapper.ts'
import { openWebAppSite } from './web-app-site.ts'
import type { WindowsProcess, WindowsProcessOptions } from './wine/start-process.ts'
import { openWindowsMachine, pathOnDriveC, windowsPath } from './wine/windows-machine.ts'

const servicePipe = fileURLToPath(
  new URL('../../packages/pipe-client/src/cli/service-pipe.ts', import.meta.url),
)

/** The packed wrapper's folder on drive C, with non-ASCII characters and shell syntax in its name. */
const applicationFolder = 'Programmer/Åse & Søn'

/** One wrapper serves all tests of a file. Longest run on a busy machine, in milliseconds. */
const longestRunMs = 600_000

/** The argument that chooses the provider of the command line. */
export const commandLine = `provider=${packedBrand.providers.arguments}`

/** Arguments of a launch that selects a person. */
export function person(customId: string, firstname: string, lastname: string): string[] {
  return [`id=${customId}`, `firstname=${firstname}`, `lastname=${lastname}`, 'dateofbirth=1980-04-03']
}

/** A Windows desk: the packed wrapper, its web app, an Edge, and programs of partners. */
export type WrapperDesk = Awaited<ReturnType<typeof openWrapperDesk>>

/**
 * Sets up a desk where the wrapper has never run.
 *
 * @param display X11 display for windows of Wine. Default: none opens
 * @param settings of the application's file, in place of the defaults
 */
export async function openWrapperDesk(display?: string, settings: DeskSettings = {}) {
  await using made = new AsyncDisposableStack()
  const windows = made.use(await openWindowsMachine(undefined, display))
  const { driveC } = windows
  const site = made.use(await openWebAppSite())
  const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 })
  const folder = await mkdtemp(join(tmpdir(), 'wrapper-desk-'))
  made.defer(() => remove(folder))
  const applicationRoot = join(driveC, applicationFolder)
  const localFolder = join(windows.home, 'AppData', 'Local')
  const vendorFolder = join(localFolder, packedBrand.vendor)
  const userFolder = join(vendorFolder, packedBrand.application)
  for (const path of [applicationRoot, vendorFolder]) {
    await remove(path)
    made.defer(() => remove(path))
  }
  const browser = made.use(await openEdge(windows, userFolder))
  await windows.run('reg.exe', ['delete', `HKCU\\${packedBrand.registryKey}`, '/f'])
  await mkdir(dirname(applicationRoot), { recursive: true })
  await cp(await packForWindows(), applicationRoot, { recursive: true })
  await configure(join(applicationRoot, packedBrand.configFile), site.url, {
    ...settings,
    application: { ...settings.application, ...browser.settings },
  })
  const program = windowsPath(await bundleForWindows(servicePipe, folder))
  const executable = join(applicationRoot, packedBrand.executable)
  const launcher = join(applicationRoot, packTargets['win-x64'].launcher(packedBrand))
  const withBrowser = ({ env, ...options }: WindowsProcessOptions = {}) => ({
    timeoutMs: longestRunMs,
    ...options,
    env: { ...browser.variables, ...env },
  })
  const owned = made.move()
  return {
    windows,
    site,
    browser,
    /** Absolute host paths: a folder of the test, the executable's folder, and the wrapper's per-user folder. */
    folder,
    applicationRoot,
    userFolder,
    /** Host path of the user's folder `AppData\\Local`. */
    localFolder,
    /** The Windows path of a path on drive C. */
    onWindows: (path: string) => pathOnDriveC(windows, path),
    /** Command lines of the packed executable, its launcher and `service-pipe`, with Windows paths. */
    commands: {
      executable: [pathOnDriveC(windows, executable)],
      launcher: [pathOnDriveC(windows, launcher)],
      servicePipe: [windowsPath(windows.node), program],
    },
    /** Starts the packed executable. */
    start: (args: readonly string[], options?: WindowsProcessOptions) =>
      windows.start(executable, args, withBrowser(options)),
    /** Starts it and waits for its end. */
    run: (args: readonly string[], options?: WindowsProcessOptions) =>
      windows.run(executable, args, withBrowser(options)),
    /** Starts the packed launcher and waits for its end. */
    runLauncher: (args: readonly string[]) => windows.run(launcher, args, withBrowser()),
    servicePipe: (...args: string[]) => windows.run(windows.node, [program, ...args]),
    /** Arguments with which `service-pipe` finds a running wrapper: `--pid` with its id, and its brand. */
    async pipeArguments(wrapper: WindowsProcess): Promise<string[]> {
      const [, pid] = /pipe\\[a-z]+\.(\d+)/.exec(await wrapper.stderr()) ?? []
      if (pid === undefined) throw new Error('This process has not become the wrapper.')
      const { name, vendor, application, pipePrefix } = packedBrand
      const ofBrand = ['--brand-name', name, '--vendor', vendor, '--application', application]
      return ['--pid', pid, ...ofBrand, '--pipe-prefix', pipePrefix]
    },
    /** One registry key in the form of `reg export`; empty when it is missing. */
    async readRegistry(key: string): Promise<string> {
      const file = join(folder, 'key.reg')
      await windows.run('reg.exe', ['export', key, windowsPath(file), '/y'])
      return readFile(file, 'utf16le').catch(() => '')
    },
    async addProvider(name: string, source: string): Promise<void> {
      await mkdir(join(applicationRoot, 'providers'), { recursive: true })
      await writeFile(join(applicationRoot, 'providers', name), source)
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  }
}

type Settings = Readonly<Record<string, string>>
type DeskSettings = Readonly<Partial<Record<'application' | 'user', Settings>>>

/** Writes the address of the test's web app and further settings into the packed configuration. */
export async function configure(
  file: string,
  appUrl: string,
  { application = {}, user = {} }: DeskSettings,
): Promise<void> {
  const packed = await readFile(file, 'utf8')
  const xmlOf = (settings: Settings) =>
    Object.entries(settings)
      .map(([name, value]) => `<setting name="${name}"><value>${value}</value></setting>`)
      .join('')
  const [, group = ''] = /<([\w.]+\.Settings)>/.exec(packed) ?? []
  const ofUser = `<userSettings><${group}>${xmlOf(user)}</${group}></userSettings>`
  const configured = packed
    .replace(packedBrand.appUrl, appUrl)
    .replace('<setting', () => `${xmlOf(application)}<setting`)
    .replace('</configuration>', () => `${ofUser}</configuration>`)
  if (!configured.includes(appUrl)) throw new Error('The packed configuration has no address of a web app.')
  await writeFile(file, configured)
}
