import { join } from 'node:path'
import { ClosingError, isServiceLinkError } from '@service-link/protocol-core'
import { CrashError } from './crash-error.ts'
import { HandOffTakenError } from './instance/hand-off-address.ts'
import { PrivateFolderError } from './instance/private-folder.ts'
import { checkUserFolder } from './instance/user-folder.ts'
import { kindOf } from './kind-of.ts'
import { openLog } from './log/open-log.ts'
import type { WrapperEvent } from './log/wrapper-event.ts'
import { ConfigFileError } from './settings/config-file-error.ts'
import { type FindSettingsOptions, findSettings } from './settings/find-settings.ts'
import { resolveSettings } from './settings/resolve-settings.ts'
import { findUserFolderFault } from './user-folder-error.ts'
import { EngineError } from './window/engine-error.ts'

/** What became of a failed start's note in the log. */
export interface FailedStartNote {
  /** The setting `BrowserEngine`, which may say that nobody looks at a screen. */
  readonly engine: string
  /** Newest file of the log; nothing when the setting `LogLevel` is `off`. */
  readonly logFile?: string
  /** Why the log could not be written, in a word or two. */
  readonly problem?: string
}

/** One failure is one line in the log, however many places hear of it. */
const notes = new WeakMap<object, Promise<FailedStartNote>>()

/**
 * Opens the log and writes `start-failed`, and the incident where the failure is one. A requested end is no failed start, and a crash
 * has a line of its own. Never rejects: the caller still has the error to report.
 *
 * @returns nothing when it was no failed start
 */
export async function noteFailedStart(
  error: unknown,
  options: FindSettingsOptions,
): Promise<FailedStartNote | undefined> {
  if (error instanceof ClosingError || error instanceof CrashError) return undefined
  if (typeof error !== 'object' || error === null) return writeNote(error, options)
  const note = notes.get(error) ?? writeNote(error, options)
  notes.set(error, note)
  return note
}

async function writeNote(error: unknown, options: FindSettingsOptions): Promise<FailedStartNote> {
  const { userFolder } = options.folders
  const folder = join(userFolder, 'logs')
  const logFile = join(folder, 'wrapper.log')
  let engine = ''
  let problem: string | undefined
  try {
    // Damaged files count as none.
    const { values } = resolveSettings(options.brand, await findSettings(options))
    engine = values.BrowserEngine
    const level = values.LogLevel
    if (level === 'off') return { engine }
    checkUserFolder(userFolder)
    const onFault = (fault: WrapperEvent) => {
      problem = 'reason' in fault ? fault.reason : undefined
    }
    await using log = await openLog({ folder, level, onFault })
    // An incident: this user cannot have caused it by mistake.
    if (error instanceof HandOffTakenError) log.report({ type: 'hand-off-taken' })
    log.report(failureOf(error))
  } catch (fault) {
    // The folder is not this user's: then nothing is written there.
    problem = kindOf(fault)
  }
  return { engine, logFile, ...(problem === undefined ? {} : { problem }) }
}

function failureOf(error: unknown): WrapperEvent {
  const code = isServiceLinkError(error) ? error.code : 'ERR_INTERNAL'
  const fault: unknown = error instanceof Error && 'fault' in error ? error.fault : undefined
  const reason = isServiceLinkError(error) ? fault : kindOf(error)
  return { type: 'start-failed', code, ...(typeof reason === 'string' ? { reason } : {}) }
}

/**
 * Names the cause where it is the per-user folder. A full disk or a read-only folder fails in many places, each with words of its own.
 *
 * @returns a `UserFolderError`, else the error as it was given
 */
export function nameFailure(error: unknown, userFolder: string): unknown {
  const isOfUserFolder = error instanceof ConfigFileError && error.file.startsWith(userFolder)
  const isOfDisk =
    isOfUserFolder ||
    error instanceof PrivateFolderError ||
    (error instanceof EngineError && error.fault !== 'not-available') ||
    (!isServiceLinkError(error) && /^E[A-Z\d]+$/.test(kindOf(error)))
  return (isOfDisk && findUserFolderFault(userFolder)) || error
}
