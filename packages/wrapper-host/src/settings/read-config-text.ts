import { createReadStream } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { failureReason } from '../failure-reason.ts'
import { configTooLarge, maxConfigFileBytes } from './check-config-text.ts'
import { ConfigFileError } from './config-file-error.ts'

/**
 * Reads the bytes of a configuration file, no further than it takes to see that it is too large.
 *
 * @returns nothing when there is no such file
 * @throws {ConfigFileError} when it is there and cannot be read
 */
export async function readConfigBytes(file: string): Promise<Uint8Array | undefined> {
  try {
    return await buffer(createReadStream(file, { end: maxConfigFileBytes }))
  } catch (error) {
    const reason = failureReason(error)
    if (reason === 'ENOENT') return undefined
    throw new ConfigFileError(file, `cannot be read (${reason}); it must be a file that this user may read`)
  }
}

/**
 * Decodes a configuration file; a byte order mark stays.
 *
 * @throws {ConfigFileError} when it is too large or not UTF-8: whatever was replaced would be lost when the file is rewritten
 */
export function decodeConfigText(bytes: Uint8Array, file: string): string {
  if (bytes.length > maxConfigFileBytes) throw configTooLarge(file)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ConfigFileError(file, 'is not UTF-8; it must be saved in this encoding')
  }
}
