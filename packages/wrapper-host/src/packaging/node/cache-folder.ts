import { join } from 'node:path'

/**
 * Where what was fetched is kept for the next time: the user's folder of such files, in which `service-webwrapper-pack` has one.
 * Touches nothing.
 *
 * @param environment `XDG_CACHE_HOME` names another on every platform
 */
export function cacheFolder(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  homeFolder: () => string,
): string {
  return join(
    environment.XDG_CACHE_HOME || defaultFolder(platform, environment, homeFolder),
    'service-webwrapper-pack',
  )
}

function defaultFolder(
  platform: NodeJS.Platform,
  environment: NodeJS.ProcessEnv,
  homeFolder: () => string,
): string {
  if (platform === 'win32') return environment.LOCALAPPDATA || join(homeFolder(), 'AppData', 'Local')
  return platform === 'darwin' ? join(homeFolder(), 'Library', 'Caches') : join(homeFolder(), '.cache')
}
