/** What Wine is asked for: 64 bits, no menus and no associations of files on the host, and the library that {@link preparePrefix} changes. */
const overrides = 'mscoree,mshtml,winemenubuilder.exe=;kernelbase=n,b'

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
    WINEPREFIX: prefix,
    WINEARCH: 'win64',
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: overrides,
  }
}
