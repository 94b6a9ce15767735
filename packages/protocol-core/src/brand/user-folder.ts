import type { Brand } from './define-brand.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** File in the {@link wrapperUserFolder} in which a wrapper notes where it is installed. */
export const installFileName = 'install.json'

/** File in the {@link wrapperUserFolder} with the key by which a wrapper proves to clients of its pipe that it is this user's. */
export const pipeKeyFileName = 'pipe.key'

/**
 * Says where a wrapper keeps what belongs to this user on this machine (design: settings). Touches nothing.
 *
 * @param platform Node's `process.platform`
 * @param environment `SERVICE_WRAPPER_DATA` moves it
 * @param home tells the user's home, where it is needed
 * @returns a path; relative to the working directory when that variable is
 */
export function wrapperUserFolder(
  brand: Brand,
  platform: string,
  environment: Environment,
  home: () => string,
): string {
  if (environment.SERVICE_WRAPPER_DATA) return environment.SERVICE_WRAPPER_DATA
  const separator = platform === 'win32' ? '\\' : '/'
  return [localDataFolder(platform, environment, home), brand.vendor, brand.application].join(separator)
}

/** The folder in which programs keep what belongs to this user on this machine. */
function localDataFolder(platform: string, environment: Environment, home: () => string): string {
  if (platform === 'win32') return environment.LOCALAPPDATA || `${home()}\\AppData\\Local`
  if (platform === 'darwin') return `${home()}/Library/Application Support`
  return environment.XDG_DATA_HOME || `${home()}/.local/share`
}
