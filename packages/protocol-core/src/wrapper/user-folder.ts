import { defineError } from '../errors/define-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * A variable of this project names a folder by a path that depends on the working directory.
 *
 * @remedy Give `SERVICE_WRAPPER_ROOT` or `SERVICE_WRAPPER_DATA` an absolute path, or remove the variable.
 * @retry no
 * @seenBy administrator, integrator
 */
export class FolderVariableError extends defineError('ERR_FOLDER_VARIABLE', (variable: string) => ({
  message: `The variable ${variable} must name a folder by its absolute path. Correct or remove it.`,
  variable,
})) {}

/**
 * Reads a variable that names a folder. A relative path counts as missing, as in the XDG Base Directory Specification: two programs
 * with different working directories would take it for two folders.
 *
 * @param platform Node's `process.platform`. On Windows an absolute path begins with a drive or a server
 * @param isOwn whether the variable is this project's: somebody set it on purpose, and another folder would be a surprise
 * @returns an absolute path; nothing when the variable is missing, empty, or relative
 * @throws {FolderVariableError} when a variable of this project is relative
 */
export function folderVariable(
  environment: Environment,
  name: string,
  platform: string,
  isOwn = false,
): string | undefined {
  const path = environment[name]
  if (!path) return undefined
  const beginning = platform === 'win32' ? /^(?:[a-z]:[\\/]|[\\/]{2}[^\\/])/i : /^\//
  if (beginning.test(path)) return path
  if (isOwn) throw new FolderVariableError(name)
  return undefined
}

/**
 * Folder in which .NET puts its pipes on Linux and macOS: `TMPDIR`, else `/tmp`. (Node's `os.tmpdir()` also looks at `TMP`
 * and `TEMP`, which .NET does not.)
 */
export function unixPipeFolder(environment: Environment): string {
  return folderVariable(environment, 'TMPDIR', 'linux') ?? '/tmp'
}

/** File in the {@link wrapperUserFolder} in which a wrapper notes where it is installed. */
export const installFileName = 'install.json'

/**
 * Says where a wrapper of a brand keeps what belongs to this user on this machine (design: settings). Touches nothing.
 *
 * @param platform Node's `process.platform`
 * @param environment `SERVICE_WRAPPER_DATA` moves it
 * @param home tells the user's home as the system knows it, where the environment does not
 * @returns an absolute path
 * @throws {FolderVariableError} when `SERVICE_WRAPPER_DATA` is a relative path
 */
export function wrapperUserFolder(
  brand: { readonly vendor: string; readonly application: string },
  platform: string,
  environment: Environment,
  home: () => string,
): string {
  const moved = folderVariable(environment, 'SERVICE_WRAPPER_DATA', platform, true)
  if (moved !== undefined) return moved
  const separator = platform === 'win32' ? '\\' : '/'
  return [localDataFolder(platform, environment, home), brand.vendor, brand.application].join(separator)
}

/** The folder in which programs keep what belongs to this user on this machine. */
function localDataFolder(platform: string, environment: Environment, home: () => string): string {
  const variable = (name: string) => folderVariable(environment, name, platform)
  if (platform === 'win32')
    return variable('LOCALAPPDATA') ?? `${variable('USERPROFILE') ?? home()}\\AppData\\Local`
  if (platform === 'darwin') return `${variable('HOME') ?? home()}/Library/Application Support`
  return variable('XDG_DATA_HOME') ?? `${variable('HOME') ?? home()}/.local/share`
}

/**
 * The name of a user's desktop on Linux: the display, because the window is there. `XDG_SESSION_ID` is
 * missing from programs that the user's service manager starts, so that one session would have two wrappers. The screen of a
 * display does not matter: `:0.0` is `:0`.
 *
 * @param environment of the process whose session is asked for
 * @returns an empty text when it has no display
 */
export function loginDisplay(environment: Readonly<Record<string, string | undefined>>): string {
  return environment.DISPLAY?.replace(/(:\d+)\.\d+$/, '$1') || environment.WAYLAND_DISPLAY || ''
}

/** The folder of Windows: `SystemRoot` if it is an absolute path with its drive. */
export function systemRoot({ SystemRoot }: Environment = process.env): string {
  const hasDrive = SystemRoot !== undefined && /^[a-z]:[\\/]/i.test(SystemRoot)
  return hasDrive ? SystemRoot.replaceAll('/', '\\').replace(/\\+$/, '') : 'C:\\Windows'
}

/**
 * The absolute path of a program of Windows. Windows would look for a bare name in the working directory, too.
 *
 * @param name file name, such as `taskkill.exe`
 */
export function systemProgram(name: string, environment: Environment = process.env): string {
  return `${systemRoot(environment)}\\System32\\${name}`
}
