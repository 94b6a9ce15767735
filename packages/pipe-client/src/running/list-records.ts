// Entry for the wrapper itself, whose doctor and installer look for running wrappers.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { WrapperRecord } from '@service-link/protocol-core'
import { isPrivateFolder } from './own-file.ts'
import { isAlive, readWrapperRecord, recordEnding, recordFolder } from './wrapper-record.ts'

/**
 * Reads every record in a folder, also of processes that have ended.
 *
 * @returns file and record; none if the folder is not this user's alone
 */
export function readRecords(
  folder: string,
): readonly { readonly file: string; readonly record: WrapperRecord }[] {
  if (!isPrivateFolder(folder)) return []
  return readdirSync(folder)
    .filter(name => name.endsWith(recordEnding))
    .flatMap(name => {
      const file = join(folder, name)
      const record = readWrapperRecord(file)
      return record ? [{ file, record }] : []
    })
}

/**
 * Reads the records of all wrappers of this user, on all desktops. Leaves out those of processes that have ended.
 *
 * @returns ordered by process id; none if the folder is not this user's alone
 */
export function listWrapperRecords(userFolder: string): readonly WrapperRecord[] {
  return readRecords(recordFolder(userFolder))
    .map(({ record }) => record)
    .filter(({ pid }) => isAlive(pid))
    .sort((a, b) => a.pid - b.pid)
}
