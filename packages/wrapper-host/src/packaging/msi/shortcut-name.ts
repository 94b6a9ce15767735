/** Longest name: the column of a shortcut has room for 128 characters, and Windows adds its ending. */
const maxLength = 100

/**
 * File name of the shortcut to a wrapper, without its ending: what the person at the desktop reads, but for characters that Windows has
 * no place for in file names.
 *
 * @param displayName the brand's
 */
export function shortcutName(displayName: string): string {
  const name = displayName
    .replaceAll(/[\\/:*?"<>|]+/g, '-')
    .slice(0, maxLength)
    .replace(/^[ .]+|[ .]+$/g, '')
  return name || 'Wrapper'
}
