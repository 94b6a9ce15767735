import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  isAlive,
  readWrapperRecord,
  recordEnding,
  type WrapperKey,
  type WrapperRecord,
} from '@service-link/pipe-client/running'
import { replaceFile } from '../files/replace-file.ts'
import { tryLockInstance } from './instance-lock.ts'
import type { InstancePlace } from './instance-place.ts'
import { instanceFileError } from './private-folder.ts'

/** Where this process listens, and its secrets: chosen anew at each start. */
export function choosePrivateAddress(place: InstancePlace): {
  readonly address: string
  readonly key: WrapperKey
} {
  const address = place.hasRandomEnd ? place.address + randomDigits() : place.address
  return { address, key: { ask: randomDigits(), answer: randomDigits() } }
}

/**
 * Publishes the record of this process, in one step, for this user alone. Call it when something listens at its address.
 *
 * @returns takes the record back
 * @throws {PrivateFolderError} when it cannot be written
 */
export async function publishRecord(place: InstancePlace, record: WrapperRecord): Promise<AsyncDisposable> {
  const { recordFile } = place
  try {
    await replaceFile(recordFile, JSON.stringify(record))
  } catch (error) {
    throw instanceFileError(recordFile, 'the record', error)
  }
  sweepRecords(place)
  return {
    [Symbol.asyncDispose]: () => rm(recordFile, { force: true, maxRetries: 5 }).catch(() => undefined),
  }
}

/** Removes the records of killed wrappers of other login sessions. Each is held for a moment, so that no new one is lost. */
function sweepRecords({ privateFolder, recordFile }: InstancePlace): void {
  try {
    for (const name of readdirSync(privateFolder)) {
      const file = join(privateFolder, name)
      if (!name.endsWith(recordEnding) || file === recordFile) continue
      using lock = tryLockInstance(`${file.slice(0, -recordEnding.length)}.lock`)
      const record = lock && readWrapperRecord(file)
      if (record && !isAlive(record.pid)) rmSync(file, { force: true })
    }
  } catch {
    // A record that stays is ignored by all.
  }
}

function randomDigits(): string {
  return randomBytes(32).toString('hex')
}
