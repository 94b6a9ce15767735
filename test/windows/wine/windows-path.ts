/** A path of the host as Windows programs name it: the host's files are drive Z. */
export function windowsPath(file: string): string {
  return `Z:${file.replaceAll('/', '\\')}`
}
