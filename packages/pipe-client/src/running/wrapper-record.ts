import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import type { WrapperRecord } from '@service-link/protocol-core'
import { type Brand, wrapperUserFolder } from '@service-link/protocol-core/brand'
import { isObject } from '@service-link/protocol-core/errors'
import { readOwnFile } from './own-file.ts'

/**
 * Says where a wrapper of this user keeps its files: one place for wrapper, clients, doctor and installer.
 *
 * @param environment names the folder, see `wrapperUserFolder`. Default: `process.env`
 * @throws {FolderVariableError} when `SERVICE_WRAPPER_DATA` is a relative path
 */
export function ownUserFolder(brand: Brand, environment: NodeJS.ProcessEnv = process.env): string {
  return resolve(wrapperUserFolder(brand, process.platform, environment, () => userInfo().homedir))
}

/** Folder of the records, for its owner alone. It also holds the wrapper's lock and socket. */
export function recordFolder(userFolder: string): string {
  return join(userFolder, 'run')
}

/** End of a record's file name. */
export const recordEnding = '.json'

/** Room for the longest address and the secrets. */
const maxRecordBytes = 4096

/**
 * Reads one record. A killed wrapper leaves its record behind: then no process listens at its address, or one that cannot
 * prove itself.
 *
 * @returns nothing if the file is missing, is damaged, or is not this user's alone
 */
export function readWrapperRecord(file: string): WrapperRecord | undefined {
  try {
    return toWrapperRecord(JSON.parse(readOwnFile(file, maxRecordBytes, 'use')))
  } catch {
    return undefined
  }
}

/** Tells whether a process with this id exists, of any user. */
export function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid < 1) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

const secretDigits = /^[0-9a-f]{64}$/

/** The last number means every process to Windows, where a foreground is granted. */
const maxProcessId = 2 ** 32 - 2

function isProcessId(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) <= maxProcessId
}

/** Reads what `wrapperRecordSchema` reads, without the schemas, which a second launch does not load. */
export function toWrapperRecord(value: unknown): WrapperRecord | undefined {
  const { pid, browserPid, desktop, version, address, key } = Object(value)
  const { ask, answer } = Object(key)
  const isRecord =
    [value, key].every(isObject) &&
    isProcessId(pid) &&
    (browserPid === undefined || isProcessId(browserPid)) &&
    [desktop, version, address].every(text => typeof text === 'string') &&
    [ask, answer].every(text => typeof text === 'string' && secretDigits.test(text))
  if (!isRecord) return undefined
  const ofBrowser = browserPid === undefined ? {} : { browserPid }
  return { pid, ...ofBrowser, desktop, version, address, key: { ask, answer } }
}
