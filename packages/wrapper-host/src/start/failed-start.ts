import { join } from 'node:path'
import { ClosingError, defineError, isServiceLinkError } from '@service-link/protocol-core'
import { EngineError } from '@service-link/window-engine'
import { checkUserFolder, findUserFolderFault, PrivateFolderError } from '../files/access.ts'
import type { WrapperEvent } from '../log/events.ts'
import { kindOf } from '../log/failure-reason.ts'
import { openLog } from '../log/log.ts'
import { ConfigFileError } from '../settings/config-file.ts'
import { findSettings } from '../settings/find-settings.ts'
import { resolveSettings } from '../settings/resolve-settings.ts'
import type { FindSettingsOptions } from '../settings/wrapper-folders.ts'
import { HandOffTakenError } from './private-server.ts'

/**
 * An uncaught error of the wrapper's process, after which its state is unknown.
 *
 * Pass it as reason of `StartOptions.signal` or
 * as argument of `RunningWrapper.close`: the wrapper logs `crashed` and closes.
 *
 * @remedy Start the wrapper again, and report the line `crashed` of its log.
 * @retry yes
 * @seenBy user, integrator
 */
export class CrashError extends defineError(
  'ERR_CRASHED',
  (error: unknown) => {
    const kind = kindOf(error)
    return {
      message: `The wrapper ends: something failed that it does not know how to go on from (${kind}).`,
      /** Kind of the error, such as `TypeError`; never its message. */
      kind,
    }
  },
  'CrashError',
) {}

interface FailedStartNote {
  readonly engine: string
  /** The setting `Culture`; empty for the machine's. */
  readonly culture: string
  /** Newest file of the log. Missing when the setting `LogLevel` is `off`. */
  readonly logFile?: string
  /** Reason why the log could not be written, in a word or two. */
  readonly problem?: string
}

/** Failures after which another start may succeed, though nobody has changed anything. */
const passing: ReadonlySet<string> = new Set([
  'ERR_INSTANCE_BUSY',
  'ERR_HAND_OFF_TIMEOUT',
  'ERR_HAND_OFF_LOST',
  'ERR_WAIT_TIMEOUT',
  'ERR_PROVIDER_TIMEOUT',
  'ERR_INTERNAL',
])

/** Whether the person at the desktop should try again. Else only somebody with the rights can help. */
export function mayPass(error: unknown): boolean {
  if (!isServiceLinkError(error)) return true
  if (error instanceof EngineError)
    return !['not-available', 'forbidden', 'profile-unusable'].includes(error.fault)
  return passing.has(error.code)
}

/** Start and program both report a failure. The log gets one line. */
const notes = new WeakMap<object, Promise<FailedStartNote>>()

/**
 * Writes `start-failed` to the log, and the incident if the failure is one. Never rejects: the caller still has to report the
 * error. Returns nothing for a requested end, and for a crash, which the log has already.
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

/** Names the cause of a failed start, and writes it to the log once. Returns the error that the caller throws. */
export async function failStart(error: unknown, options: FindSettingsOptions): Promise<unknown> {
  const failure = nameFailure(error, options.folders.userFolder)
  await noteFailedStart(failure, options)
  return failure
}

async function writeNote(error: unknown, options: FindSettingsOptions): Promise<FailedStartNote> {
  const { userFolder } = options.folders
  const folder = join(userFolder, 'logs')
  const logFile = join(folder, 'wrapper.log')
  let engine = ''
  let culture = ''
  let problem: string | undefined
  try {
    // A damaged file counts as missing.
    const { values } = resolveSettings(options.brand, await findSettings(options))
    engine = values.BrowserEngine
    culture = values.Culture
    const level = values.LogLevel
    if (level === 'off') return { engine, culture }
    checkUserFolder(userFolder)
    const onFault = (fault: WrapperEvent) => {
      problem = 'reason' in fault ? fault.reason : undefined
    }
    using log = openLog({ folder, level, onFault })
    // An incident: this user cannot cause it by mistake.
    if (error instanceof HandOffTakenError) log.report({ type: 'hand-off-taken' })
    log.report(failureOf(error))
  } catch (fault) {
    // Also a folder of another user, to which nothing is written.
    problem = kindOf(fault)
  }
  return { engine, culture, logFile, ...(problem === undefined ? {} : { problem }) }
}

function failureOf(error: unknown): WrapperEvent {
  const code = isServiceLinkError(error) ? error.code : 'ERR_INTERNAL'
  const fault: unknown = error instanceof Error && 'fault' in error ? error.fault : undefined
  const reason = isServiceLinkError(error) ? fault : kindOf(error)
  const policies = error instanceof EngineError ? error.policies : ''
  return {
    type: 'start-failed',
    code,
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(policies === '' ? {} : { policies }),
  }
}

/**
 * Finds out whether the per-user folder caused an error. A full disk or a read-only folder causes many different errors. Returns a
 * `UserFolderError` if so, else the given error.
 */
function nameFailure(error: unknown, userFolder: string): unknown {
  const isOfUserFolder = error instanceof ConfigFileError && error.file.startsWith(userFolder)
  const isOfDisk =
    isOfUserFolder ||
    error instanceof PrivateFolderError ||
    (error instanceof EngineError && !['not-available', 'forbidden'].includes(error.fault)) ||
    (!isServiceLinkError(error) && /^E[A-Z\d]+$/.test(kindOf(error)))
  return (isOfDisk && findUserFolderFault(userFolder)) || error
}
