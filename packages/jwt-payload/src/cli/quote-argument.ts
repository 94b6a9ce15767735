/** Quotes a path as one argument for a POSIX shell, or for the shells of Windows. */
export function quoteArgument(path: string, platform: string = process.platform): string {
  if (platform === 'win32') return /^[\w.:/\\-]+$/.test(path) ? path : `"${path}"`
  return /^[\w.:/-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}
