import { constants, type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Deadline } from '@service-link/protocol-core/time'
import { maxXmlBytes } from '@service-link/xml-input'
import { replaceFile, whileInUse } from '../files/replace-file.ts'
import { failureReason } from '../log/failure-reason.ts'
import { ConfigFileError, configTooLarge } from './config-file.ts'

/** Shorter than the whole read: the error then names the reason. */
const inUseLimitMs = 3000

/** Options of {@link readConfigBytes}. */
interface ReadConfigOptions {
  /** Longest wait for the file, in milliseconds. Default 20,000. */
  readonly timeoutMs?: number
  /** Opens the file. Default: that of the file system. */
  readonly open?: (file: string, flags: number) => Promise<FileHandle>
}

/**
 * Reads the bytes of a configuration file, and stops when it is too large.
 *
 * @returns nothing when there is no such file
 * @throws {ConfigFileError} when it cannot be read in time or is no file
 */
export async function readConfigBytes(
  file: string,
  options: ReadConfigOptions = {},
): Promise<Uint8Array | undefined> {
  const { timeoutMs = 20_000 } = options
  try {
    return await new Deadline(timeoutMs).waitFor(
      read(file, options.open ?? open),
      () => new ConfigFileError(file, `could not be read within ${timeoutMs / 1000} seconds`),
    )
  } catch (error) {
    if (error instanceof ConfigFileError) throw error
    const reason = failureReason(error)
    if (reason === 'ENOENT') return undefined
    throw unreadable(file, `cannot be read (${reason})`)
  }
}

async function read(file: string, openFile: NonNullable<ReadConfigOptions['open']>): Promise<Uint8Array> {
  // Opening a device may already have an effect.
  if (!(await stat(file)).isFile()) throw unreadable(file, 'is no file')
  // A pipe may have the name by now. The flag, which Windows lacks, prevents waiting for it.
  const { O_RDONLY, O_NONBLOCK = 0 } = constants
  await using handle = await whileInUse(() => openFile(file, O_RDONLY | O_NONBLOCK), {
    limitMs: inUseLimitMs,
  })
  if (!(await handle.stat()).isFile()) throw unreadable(file, 'is no file')
  const bytes = new Uint8Array(maxXmlBytes + 1)
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
 * Decodes a configuration file. Keeps a byte-order mark.
 *
 * @throws {ConfigFileError} when it is too large or not UTF-8: a lenient decoder would replace text that a save then loses
 */
export function decodeConfigText(bytes: Uint8Array, file: string): string {
  if (bytes.length > maxXmlBytes) throw configTooLarge(file)
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new ConfigFileError(file, 'is not UTF-8; it must be saved in this encoding')
  }
}

/**
 * Writes a user's file.
 *
 * @throws {ConfigFileError} with the remedy
 */
export async function writeConfigText(file: string, text: string): Promise<void> {
  await whileWriting(file, () => replaceFile(file, text))
}

/** A disk that damages files must not fill up with old ones. */
const maxKeptFiles = 5

/**
 * Moves a damaged file out of the way as `<file>.bad-<time>`, and keeps the newest five of such files.
 *
 * @throws {ConfigFileError} with the remedy
 */
export async function setAside(file: string, now: Date): Promise<void> {
  await whileWriting(file, async () => {
    const prefix = `${basename(file)}.bad-`
    await rename(file, `${file}.bad-${now.toISOString().replaceAll(/[:.]/g, '-')}`)
    // The names sort by time.
    const kept = (await readdir(dirname(file))).filter(name => name.startsWith(prefix)).sort()
    for (const name of kept.slice(0, -maxKeptFiles)) await rm(join(dirname(file), name), { force: true })
  })
}

async function whileWriting(file: string, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    throw new ConfigFileError(
      file,
      `cannot be written (${failureReason(error)}); its folder must be one that this user may write to, and SERVICE_WRAPPER_DATA can name another`,
    )
  }
}
