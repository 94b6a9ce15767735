import type { FileHandle } from 'node:fs/promises'
import { type InstallRecord, maxInstallRecordBytes, parseInstallRecord } from '@service-link/protocol-core'
import { PipeNotInstalledError } from '../errors/pipe-error.ts'
import { openOwnFile } from '../platform/open-own-file.ts'

/**
 * Reads the file in which a wrapper notes where it is installed.
 *
 * @returns nothing when there is none
 * @throws {PipeDeniedError} when somebody else can have written it, or it is not a file that this user may read
 * @throws {PipeNotInstalledError} when it does not say what such a file says
 */
export async function readInstallFile(file: string): Promise<InstallRecord | undefined> {
  const handle = await openOwnFile(file, 'change')
  if (!handle) return undefined
  try {
    const record = parseInstallRecord(await readText(handle))
    if (record) return record
  } finally {
    await handle.close()
  }
  throw new PipeNotInstalledError(
    `${file} does not say where the wrapper is installed. Start the wrapper once, which writes it anew.`,
  )
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
