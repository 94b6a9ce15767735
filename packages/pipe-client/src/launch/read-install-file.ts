import { constants, type Stats } from 'node:fs'
import { access, type FileHandle, open } from 'node:fs/promises'
import { parse, resolve } from 'node:path'
import { type InstallRecord, maxInstallRecordBytes, parseInstallRecord } from '@service-link/protocol-core'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { PipeDeniedError, PipeNotInstalledError } from '../errors/pipe-error.ts'
import { isThisUsersAlone } from '../running/own-file.ts'

/** Follows no link, and does not wait for the writer of a named pipe. Windows has neither flag. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** Codes that pass: another program uses or replaces the file, or this process has too many open. */
const passingCodes = new Set(['EBUSY', 'EPERM', 'EMFILE', 'ENFILE'])

/** Longest wait for that to pass, and the pause between two attempts, in milliseconds. */
const passingMs = 1_000
const pauseMs = 50

/**
 * Reads the file in which a wrapper notes where it is installed.
 *
 * @returns nothing if there is none
 * @throws {PipeDeniedError} if another user may have written it, or this user cannot read it within a second. Windows checks
 *   no owner
 * @throws {PipeNotInstalledError} if its text is not such a note
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
  for (const passing = new Deadline(passingMs); ; await pause(pauseMs)) {
    try {
      return await open(file, flags)
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      if (code === 'ENOENT' || code === 'ENOTDIR') {
        await assertDrive(file)
        return undefined
      }
      if (!passingCodes.has(code) || passing.isOver)
        throw new PipeDeniedError(`${file} cannot be read (${code === 'ELOOP' ? 'it is a link' : code}).`)
    }
  }
}

/** A file is also missing if its drive or share is. A root that this user may not look at exists. */
async function assertDrive(file: string): Promise<void> {
  const { root } = parse(resolve(file))
  try {
    await access(root)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EACCES' || code === 'EPERM') return
    throw new PipeDeniedError(`${file} cannot be read: ${root} is not there.`)
  }
}

function assertOwn(file: string, found: Stats): void {
  if (!found.isFile()) throw new PipeDeniedError(`${file} is not a file, and is not used.`)
  if (isThisUsersAlone(found, 'change')) return
  const isOthers = found.uid !== process.getuid?.()
  const problem = isOthers ? 'belongs to another user' : 'may be changed by other users'
  throw new PipeDeniedError(`${file} ${problem}, and is not used.`)
}

/** Returns nothing of a file that is too long. */
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
