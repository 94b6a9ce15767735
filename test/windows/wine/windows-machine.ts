import { homedir, tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { preparePrefix } from './prepare-prefix.ts'
import { startProcess, type WindowsProcess, type WindowsProcessOptions } from './start-process.ts'
import { fetchWindowsNode } from './windows-node.ts'
import { endProcesses, wineEnvironment } from './wine-environment.ts'

/** Whether the Windows under test is this machine. */
export const isWindowsItself = process.platform === 'win32'

/** The Windows under test: this machine, or on Linux a Wine folder and Node for Windows. */
export interface WindowsMachine extends AsyncDisposable {
  /** Absolute host path of drive C. */
  readonly driveC: string
  /** Absolute host path of the user's folder. */
  readonly home: string
  /** Host path of `node.exe`. */
  readonly node: string
  /** Starts a Windows program, given by the host path of its executable or by name. */
  start(program: string, args?: readonly string[], options?: WindowsProcessOptions): Promise<WindowsProcess>
  /** Starts a program and waits for its end. */
  run(program: string, args?: readonly string[], options?: WindowsProcessOptions): Promise<WindowsProcessEnd>
}

/** The result of a process. */
export interface WindowsProcessEnd {
  /** The exit code in Windows; Wine reports its lowest 8 bits to the host. */
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Opens the Windows of this test run. Wine is made if missing.
 *
 * @param folder of Wine and Node, absolute. Default: {@link machineFolder}
 * @param display X11 display for windows of Wine. Default: none opens
 */
export async function openWindowsMachine(
  folder = machineFolder(),
  display?: string,
): Promise<WindowsMachine> {
  const prefix = join(folder, 'prefix')
  const node = await fetchWindowsNode(join(folder, 'node'))
  if (!isWindowsItself) await preparePrefix(prefix)
  const env = isWindowsItself ? ownEnvironment() : wineEnvironment(prefix, display)
  const driveC = isWindowsItself ? 'C:\\' : join(prefix, 'drive_c')
  const start = (program: string, args: readonly string[] = [], options: WindowsProcessOptions = {}) =>
    startProcess(env, program, args, options)
  return {
    driveC,
    home: isWindowsItself ? homedir() : join(driveC, 'users', userInfo().username),
    node,
    start,
    async run(program, args, options) {
      await using process = await start(program, args, options)
      const exitCode = await process.exited
      return { exitCode, stdout: await process.stdout(), stderr: await process.stderr() }
    },
    // Ends every process that Wine still runs in this folder.
    [Symbol.asyncDispose]: async () => void (isWindowsItself || (await endProcesses(prefix))),
  }
}

/** This process's variables without those of its own Node. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, ...environment } = process.env
  return environment
}

/**
 * The folder of this user's Windows, kept between test runs: `SERVICE_WINDOWS_FOLDER`, else a folder among the temporary
 * files.
 *
 * @returns absolute path
 */
export function machineFolder(): string {
  return process.env.SERVICE_WINDOWS_FOLDER || join(tmpdir(), `service-link-windows-${userInfo().uid}`)
}

/** The folder of a second Windows, for testing programs while the first runs the suites; absolute. */
export function programsFolder(): string {
  return join(machineFolder(), 'programs')
}

/** The Windows path of a host path: in Wine the host's files are drive Z. */
export function windowsPath(file: string): string {
  return isWindowsItself ? file : `Z:${file.replaceAll('/', '\\')}`
}

/** The Windows path of a host path on drive C. */
export function pathOnDriveC({ driveC }: Pick<WindowsMachine, 'driveC'>, path: string): string {
  return isWindowsItself ? path : `C:${path.slice(driveC.length).replaceAll('/', '\\')}`
}
