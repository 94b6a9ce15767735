import { basename, join } from 'node:path'

/**
 * Makes an address for a server of a test.
 *
 * @param folder absolute path of a folder of the test
 * @returns a Unix socket in the folder, or on Windows a pipe named after both
 */
export function socketAddress(folder: string, name = 's'): string {
  return process.platform === 'win32' ? `\\\\.\\pipe\\${basename(folder)}.${name}` : join(folder, name)
}
