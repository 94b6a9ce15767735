import { constants, type FileHandle, open, stat } from 'node:fs/promises'
import { failureReason } from '../log/failure-reason.ts'
import { configTooLarge, maxConfigFileBytes } from './check-config-text.ts'
import { ConfigFileError } from './config-file-error.ts'
import { whileInUse } from './while-in-use.ts'

/** Less than the whole reading may take: so the reason is told. */
const inUseLimitMs = 3000

/** Options of {@link readConfigBytes}. */
export interface ReadConfigOptions {
  /** Longest wait for the file, in milliseconds. Default 5,000. */
  readonly timeoutMs?: number
  /** How the file is opened. Default: that of the file system. */
  readonly open?: (file: string, flags: number) => Promise<FileHandle>
}

/**
 * Reads the bytes of a configuration file, no further than it takes to see that it is too large.
 *
 * @returns nothing when there is no such file
 * @throws {ConfigFileError} when it is there and cannot be read, is no file, or does not come in time, as on a file server
 *   that hangs
 */
export async function readConfigBytes(
  file: string,
  options: ReadConfigOptions = {},
): Promise<Uint8Array | undefined> {
  const { timeoutMs = 5_000 } = options
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new ConfigFileError(file, `could not be read within ${timeoutMs / 1000} seconds`)),
    timeoutMs,
  )
  try {
    return await Promise.race([read(file, options.open ?? open), late.promise])
  } catch (error) {
    if (error instanceof ConfigFileError) throw error
    const reason = failureReason(error)
    if (reason === 'ENOENT') return undefined
    throw unreadable(file, `cannot be read (${reason})`)
  } finally {
    clearTimeout(timer)
  }
}

async function read(file: string, openFile: NonNullable<ReadConfigOptions['open']>): Promise<Uint8Array> {
  // Opening a device may already have an effect.
  if (!(await stat(file)).isFile()) throw unreadable(file, 'is no file')
  // A pipe may have come under the name since: it is not waited for. Windows has no such flag.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants
  await using handle = await whileInUse(() => openFile(file, O_RDONLY | O_NONBLOCK), {
    limitMs: inUseLimitMs,
  })
  if (!(await handle.stat()).isFile()) throw unreadable(file, 'is no file')
  const bytes = new Uint8Array(maxConfigFileBytes + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.slice(0, length)
}

function unreadable(file: string, problem: string): ConfigFileError {
  return new ConfigFileError(file, `${problem}; it must be a file that this user may read`)
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
