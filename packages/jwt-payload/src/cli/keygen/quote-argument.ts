/**
 * A path as one argument of a command line that a person pastes: for a shell of POSIX, or for the shells of Windows.
 *
 * @param platform default: this machine's
 */
export function quoteArgument(path: string, platform: string = process.platform): string {
  if (platform === 'win32') return /^[\w.:/\\-]+$/.test(path) ? path : `"${path}"`
  return /^[\w.:/-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
