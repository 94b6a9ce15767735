import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

/**
 * Settings of Wine: no menus and file associations on the host, and the library and program of {@link preparePrefix}
 * instead of Wine's.
 */
const overrides = 'mscoree,mshtml,winemenubuilder.exe=;kernelbase=n,b;tasklist.exe=n'

/**
 * Variables for Wine in a separate folder.
 *
 * @param prefix absolute path of Wine's folder
 * @param display X11 display for windows. Default: none, so that none opens on a developer's desk
 */
export function wineEnvironment(prefix: string, display = ''): NodeJS.ProcessEnv {
  // Windows processes do not inherit this process's Node options and conditions.
  const { NODE_OPTIONS: _options, ...environment } = process.env
  return {
    ...environment,
    // Folders of the user, such as the documents, become links into this one.
    HOME: join(prefix, 'home'),
    DISPLAY: display,
    // Wine's encoding of arguments and file names; other locales lose characters outside ASCII.
    LC_ALL: 'C.UTF-8',
    WINEPREFIX: prefix,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: overrides,
  }
}

/**
 * Ends every process that Wine runs in a folder, including those of killed runs.
 *
 * @param prefix absolute path of Wine's folder
 */
export async function endProcesses(prefix: string): Promise<void> {
  const options = { env: wineEnvironment(prefix), timeout: 60_000 }
  // It fails when no process runs.
  await promisify(execFile)('wineserver', ['-k'], options).catch(() => undefined)
}
