import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packTargets } from '../../packages/wrapper-pack/src/pack-plan.ts'
import { buildRelay, type HostBrowser, openHostBrowser } from './browser/host-browser.ts'
import { bundleForWindows } from './bundle.ts'
import { packedBrand, packForWindows } from './packed-wrapper.ts'
import { openWebAppSite, type WebAppSite } from './web-app-site.ts'
import type { WindowsProcess, WindowsProcessOptions } from './wine/start-process.ts'
import {
  openWindowsMachine,
  type WindowsMachine,
  type WindowsProcessEnd,
  windowsPath,
} from './wine/windows-machine.ts'

const servicePipe = fileURLToPath(
  new URL('../../packages/pipe-client/src/cli/service-pipe.ts', import.meta.url),
)

/** The packed wrapper's folder on drive C, with non-ASCII characters and shell syntax in its name. */
const applicationFolder = 'Programmer/Åse & Søn'

/** The folder on drive C of an Edge for all users. */
const edgeFile = 'Program Files (x86)/Microsoft/Edge/Application/msedge.exe'

/** One wrapper serves all tests of a file. Longest run on a busy machine, in milliseconds. */
const longestRunMs = 600_000

/** The argument that chooses the provider of the command line. */
export const commandLine = `provider=${packedBrand.providers.arguments}`

/** Arguments of a launch that selects a person. */
export function person(customId: string, firstname: string, lastname: string): string[] {
  return [`id=${customId}`, `firstname=${firstname}`, `lastname=${lastname}`, 'dateofbirth=1980-04-03']
}

/** A Windows desk: the packed wrapper, its web app, an Edge, and programs of partners. */
export interface WrapperDesk extends AsyncDisposable {
  readonly windows: WindowsMachine
  readonly site: WebAppSite
  readonly browser: HostBrowser
  /** Absolute host paths: a folder of the test, the executable's folder, and the wrapper's per-user folder. */
  readonly folder: string
  readonly applicationRoot: string
  readonly userFolder: string
  /** Host paths of the user's folder `AppData\Local` and of the Edge stand-in. */
  readonly localFolder: string
  readonly edge: string
  /** The Windows path of a path on drive C. */
  onWindows(path: string): string
  /** Starts the packed executable. */
  start(args: readonly string[], options?: WindowsProcessOptions): Promise<WindowsProcess>
  /** Starts it and waits for its end. */
  run(args: readonly string[], options?: WindowsProcessOptions): Promise<WindowsProcessEnd>
  /** Starts the packed launcher and waits for its end. */
  runLauncher(args: readonly string[]): Promise<WindowsProcessEnd>
  /** Runs `service-pipe`. */
  servicePipe(...args: string[]): Promise<WindowsProcessEnd>
  /** Arguments with which `service-pipe` finds a running wrapper: `--pid` with its id, and its brand. */
  pipeArguments(wrapper: WindowsProcess): Promise<string[]>
  /** One registry key in the form of `reg export`; empty when it is missing. */
  readRegistry(key: string): Promise<string>
  addProvider(name: string, source: string): Promise<void>
}

/** Sets up a desk where the wrapper has never run. */
export async function openWrapperDesk(): Promise<WrapperDesk> {
  await using made = new AsyncDisposableStack()
  const windows = made.use(await openWindowsMachine())
  const { driveC } = windows
  const site = made.use(await openWebAppSite())
  const browser = made.use(await openHostBrowser(driveC))
  const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 })
  const folder = await mkdtemp(join(tmpdir(), 'wrapper-desk-'))
  made.defer(() => remove(folder))
  const applicationRoot = join(driveC, applicationFolder)
  const localFolder = join(driveC, 'users', userInfo().username, 'AppData', 'Local')
  const vendorFolder = join(localFolder, packedBrand.vendor)
  const edge = join(driveC, edgeFile)
  for (const path of [applicationRoot, vendorFolder, dirname(edge)]) {
    await remove(path)
    made.defer(() => remove(path))
  }
  await windows.run('reg.exe', ['delete', `HKCU\\${packedBrand.registryKey}`, '/f'])
  await mkdir(dirname(applicationRoot), { recursive: true })
  await cp(await packForWindows(), applicationRoot, { recursive: true })
  await configure(join(applicationRoot, packedBrand.configFile), site.url)
  await mkdir(dirname(edge), { recursive: true })
  await buildRelay(edge)
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
    folder,
    applicationRoot,
    userFolder: join(vendorFolder, packedBrand.application),
    localFolder,
    edge,
    onWindows: path => `C:${path.slice(driveC.length).replaceAll('/', '\\')}`,
    start: (args, options) => windows.start(executable, args, withBrowser(options)),
    run: (args, options) => windows.run(executable, args, withBrowser(options)),
    runLauncher: args => windows.run(launcher, args, withBrowser()),
    servicePipe: (...args) => windows.run(windows.node, [program, ...args]),
    async pipeArguments(wrapper) {
      const [, pid] = /pipe\\[a-z]+\.(\d+)/.exec(await wrapper.stderr()) ?? []
      if (pid === undefined) throw new Error('This process has not become the wrapper.')
      const { name, vendor, application, pipePrefix } = packedBrand
      const ofBrand = ['--brand-name', name, '--vendor', vendor, '--application', application]
      return ['--pid', pid, ...ofBrand, '--pipe-prefix', pipePrefix]
    },
    async readRegistry(key) {
      const file = join(folder, 'key.reg')
      await windows.run('reg.exe', ['export', key, windowsPath(file), '/y'])
      return readFile(file, 'utf16le').catch(() => '')
    },
    async addProvider(name, source) {
      await mkdir(join(applicationRoot, 'providers'), { recursive: true })
      await writeFile(join(applicationRoot, 'providers', name), source)
    },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  }
}

/** The packed configuration with the address of the test's web app. */
async function configure(file: string, appUrl: string): Promise<void> {
  const packed = await readFile(file, 'utf8')
  const configured = packed.replace(packedBrand.appUrl, appUrl)
  if (configured === packed) throw new Error('The packed configuration has no address of a web app.')
  await writeFile(file, configured)
}
