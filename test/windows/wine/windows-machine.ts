import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { preparePrefix } from './prepare-prefix.ts'
import { startProcess, type WindowsProcess, type WindowsProcessOptions } from './start-process.ts'
import { fetchWindowsNode } from './windows-node.ts'
import { endProcesses, wineEnvironment } from './wine-environment.ts'

/** A Windows on this machine: a Wine folder and Node for Windows. */
export interface WindowsMachine extends AsyncDisposable {
  /** Absolute host path of drive C. */
  readonly driveC: string
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
 * Opens the Windows of this test run, and makes it if missing.
 *
 * @param folder of Wine and Node, absolute. Default: {@link machineFolder}
 * @param display X11 display for windows. Default: none opens
 */
export async function openWindowsMachine(
  folder = machineFolder(),
  display?: string,
): Promise<WindowsMachine> {
  const prefix = join(folder, 'prefix')
  const [node] = await Promise.all([fetchWindowsNode(join(folder, 'node')), preparePrefix(prefix)])
  const env = wineEnvironment(prefix, display)
  const start = (program: string, args: readonly string[] = [], options: WindowsProcessOptions = {}) =>
    startProcess(env, program, args, options)
  return {
    driveC: join(prefix, 'drive_c'),
    node,
    start,
    async run(program, args, options) {
      await using process = await start(program, args, options)
      const exitCode = await process.exited
      return { exitCode, stdout: await process.stdout(), stderr: await process.stderr() }
    },
    // Ends every process that Wine still runs in this folder.
    [Symbol.asyncDispose]: () => endProcesses(prefix),
  }
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

/** The Windows path of a host path: the host's files are drive Z. */
export function windowsPath(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`
}
