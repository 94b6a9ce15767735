/** The Windows path of a host path: the host's files are drive Z. */
export function windowsPath(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`
}
