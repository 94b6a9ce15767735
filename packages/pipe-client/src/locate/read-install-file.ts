import { constants, type Stats } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { type InstallRecord, maxInstallRecordBytes, parseInstallRecord } from '@service-link/protocol-core'
import { PipeDeniedError, PipeNotInstalledError } from '../errors/pipe-error.ts'

/** Neither through a link, nor waiting for whoever writes to a pipe. Windows knows neither. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * Reads the file in which a wrapper notes where it is installed.
 *
 * @returns nothing when there is none
 * @throws {PipeDeniedError} when somebody else can have written it, or it is not a file that this user may read
 * @throws {PipeNotInstalledError} when it does not say what such a file says
 */
export async function readInstallFile(file: string): Promise<InstallRecord | undefined> {
  const handle = await openUnlessMissing(file)
  if (!handle) return undefined
  try {
    assertOwn(file, await handle.stat())
    const record = parseInstallRecord(await readText(handle))
    if (record) return record
  } finally {
    await handle.close()
  }
  throw new PipeNotInstalledError(
    `${file} does not say where the wrapper is installed. Start the wrapper once, which writes it anew.`,
  )
}

async function openUnlessMissing(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, flags)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw new PipeDeniedError(`${file} cannot be read (${code === 'ELOOP' ? 'it is a link' : code}).`)
  }
}

function assertOwn(file: string, found: Stats): void {
  const user = process.getuid?.()
  if (!found.isFile()) throw new PipeDeniedError(`${file} is not a file, and is not used.`)
  if (user === undefined) return
  if (found.uid !== user) throw new PipeDeniedError(`${file} belongs to another user, and is not used.`)
  if ((found.mode & 0o022) !== 0)
    throw new PipeDeniedError(`${file} may be changed by other users, and is not used.`)
}

/** At most one byte more than there may be; what is cut off is not JSON. */
async function readText(handle: FileHandle): Promise<string> {
  const buffer = Buffer.alloc(maxInstallRecordBytes + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
    length += bytesRead
    if (bytesRead === 0 || length === buffer.length) break
  }
  return length > maxInstallRecordBytes ? '' : buffer.toString('utf8', 0, length)
}
