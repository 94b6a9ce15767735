import { rmSync } from 'node:fs'
import { readRecords } from '@service-link/pipe-client/records'
import { isAlive, recordEnding } from '@service-link/pipe-client/running'
import type { WrapperRecord } from '@service-link/protocol-core'
import { instanceFileError } from '../files/access.ts'
import { tryLockInstance } from '../files/instance-lock.ts'
import { replaceFile } from '../files/whole-file.ts'
import type { InstancePlace } from './instance-place.ts'

/**
 * Writes the record by which other processes find this wrapper.
 *
 * @throws {PrivateFolderError} when the file cannot be written
 */
export async function publishRecord(place: InstancePlace, record: WrapperRecord): Promise<void> {
  try {
    await replaceFile(place.recordFile, JSON.stringify(record))
  } catch (error) {
    throw instanceFileError(place.recordFile, 'the record', error)
  }
  sweepRecords(place)
}

/** Removes the records of killed wrappers of other desktops. Their locks are held meanwhile, so that no new record is lost. */
function sweepRecords({ privateFolder, recordFile }: InstancePlace): void {
  try {
    for (const { file, record } of readRecords(privateFolder)) {
      if (file === recordFile || isAlive(record.pid)) continue
      using lock = tryLockInstance(`${file.slice(0, -recordEnding.length)}.lock`)
      if (lock) rmSync(file, { force: true })
    }
  } catch {
    // All readers ignore a record that stays.
  }
}
