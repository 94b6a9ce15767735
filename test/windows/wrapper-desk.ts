import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packTargets } from '../../packages/wrapper-pack/src/pack-plan.ts'
import { buildRelay, openHostBrowser } from './browser/host-browser.ts'
import { bundleForWindows } from './bundle.ts'
import { packedBrand, packForWindows } from './packed-wrapper.ts'
import { openWebAppSite } from './web-app-site.ts'
import type { WindowsProcess, WindowsProcessOptions } from './wine/start-process.ts'
import { openWindowsMachine, windowsPath } from './wine/windows-machine.ts'

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
export type WrapperDesk = Awaited<ReturnType<typeof openWrapperDesk>>

/**
 * Sets up a desk where the wrapper has never run.
 *
 * @param display X11 display for windows. Default: none opens
 */
export async function openWrapperDesk(display?: string) {
  await using made = new AsyncDisposableStack()
  const windows = made.use(await openWindowsMachine(undefined, display))
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
    /** Absolute host paths: a folder of the test, the executable's folder, and the wrapper's per-user folder. */
    folder,
    applicationRoot,
    userFolder: join(vendorFolder, packedBrand.application),
    /** Host paths of the user's folder `AppData\\Local` and of the Edge stand-in. */
    localFolder,
    edge,
    /** The Windows path of a path on drive C. */
    onWindows: (path: string) => `C:${path.slice(driveC.length).replaceAll('/', '\\')}`,
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

/** The packed configuration with the address of the test's web app. */
async function configure(file: string, appUrl: string): Promise<void> {
  const packed = await readFile(file, 'utf8')
  const configured = packed.replace(packedBrand.appUrl, appUrl)
  if (configured === packed) throw new Error('The packed configuration has no address of a web app.')
  await writeFile(file, configured)
}
