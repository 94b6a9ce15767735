import { join } from 'node:path'

/**
 * What Wine is asked for: no menus and no associations of files on the host, and the library and the program that
 * {@link preparePrefix} supplies in the place of its own.
 */
const overrides = 'mscoree,mshtml,winemenubuilder.exe=;kernelbase=n,b;tasklist.exe=n'

/**
 * Variables with which Wine runs in a folder of its own.
 *
 * @param prefix absolute path of Wine's folder
 */
export function wineEnvironment(prefix: string): NodeJS.ProcessEnv {
  // Node's own options and conditions of this process are none of a Windows process's.
  const { NODE_OPTIONS: _options, ...environment } = process.env
  return {
    ...environment,
    // Folders of the user's, such as the one of documents, become links into this one.
    HOME: join(prefix, 'home'),
    // No windows on a developer's desk.
    DISPLAY: '',
    // By it Wine reads arguments and names of files; in another locale what is not ASCII is lost.
    LC_ALL: 'C.UTF-8',
    WINEPREFIX: prefix,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: overrides,
  }
}
