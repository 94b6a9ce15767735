import { homedir } from 'node:os'
import { join } from 'node:path'

const folders: Partial<Record<NodeJS.Platform, (environment: NodeJS.ProcessEnv) => string>> = {
  win32: environment => environment.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'),
  darwin: () => join(homedir(), 'Library', 'Application Support'),
}

/** The folder in which programs keep what belongs to this user on this machine. */
export function localDataFolder(environment: NodeJS.ProcessEnv): string {
  const folder = folders[process.platform]
  return folder ? folder(environment) : environment.XDG_DATA_HOME || join(homedir(), '.local', 'share')
}
