import { access, constants, lstat, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isThisUsersAlone, readWrapperRecord } from '@service-link/pipe-client/running'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { z } from 'zod'
import { isLockHeld } from '../files/instance-lock.ts'
import type { WrapperEvent } from '../log/events.ts'
import { type InstancePlace, locateInstance } from '../start/instance-place.ts'
import {
  type AskedWrapper,
  askWrapper,
  type DoctorChecks,
  type DoctorContext,
  type Finding,
  ok,
  problem,
  skipped,
  warning,
} from './doctor-check.ts'

function placeOf({ brand, folders: { userFolder }, environment }: DoctorContext): InstancePlace {
  return locateInstance({ application: brand.application, userFolder, environment })
}

/** Asks the wrapper of this login session for its proof, if it has published a record. */
async function askOwn(
  { recordFile }: InstancePlace,
  { wrapperTimeoutMs }: DoctorContext,
  signal: AbortSignal,
): Promise<AskedWrapper | undefined> {
  const record = readWrapperRecord(recordFile)
  return record && askWrapper(record, wrapperTimeoutMs, signal)
}

/** Checks the place where a second start hands over its launch. */
async function handOff(context: DoctorContext, signal: AbortSignal): Promise<Finding> {
  const place = placeOf(context)
  const found = await lstat(place.privateFolder).catch(() => undefined)
  if (!found) return ok('No launch can be handed over yet: the first start makes the folder of the record.')
  if (!found.isDirectory() || !isThisUsersAlone(found))
    return problem(
      `${place.privateFolder}, the folder of the wrapper’s record, is not this user’s alone.`,
      'Find out who made it, and remove it.',
    )
  const own = await askOwn(place, context, signal)
  return ok(
    own?.state === 'proven'
      ? `A wrapper listens at the address in ${place.recordFile}.`
      : 'No process takes launches in this login session.',
  )
}

/** Reports whether a process holds the lock of the instance. */
function lock(context: DoctorContext): Finding {
  const { lockFile } = placeOf(context)
  return ok(
    isLockHeld(lockFile) ? `A process holds ${lockFile}.` : 'No process holds the lock of the instance.',
  )
}

/** Checks whether the wrapper of this login session runs and answers. */
async function wrapper(context: DoctorContext, signal: AbortSignal): Promise<Finding> {
  const place = placeOf(context)
  const between = new Deadline(context.wrapperTimeoutMs)
  while (isLockHeld(place.lockFile)) {
    const own = await askOwn(place, context, signal)
    if (own?.state === 'proven') return ok(`A wrapper runs and answers: ${nameOf(own)}.`)
    if (between.isOver || signal.aborted)
      return problem(
        'A process holds the instance, and takes no launches.',
        'End its process and start the wrapper again.',
      )
    await pause(200, signal)
  }
  return skipped('No wrapper runs in this login session.')
}

/** Checks this user's wrappers in all login sessions. Programs find them by their records. */
async function pipes({ wrappers }: DoctorContext, signal: AbortSignal): Promise<Finding> {
  const found = await wrappers(signal)
  const namesOf = (state: AskedWrapper['state']) =>
    found
      .filter(wrapper => wrapper.state === state)
      .map(nameOf)
      .join('; ')
  const unproven = namesOf('unproven')
  if (unproven)
    return problem(
      `Incident: something answers in place of a wrapper of this user, without its proof: ${unproven}.`,
      'Have the administrator find out which process listens there. Then end these processes, and start the wrapper again.',
    )
  const silent = namesOf('silent')
  if (silent)
    return problem(
      `These processes have published a wrapper and do not answer: ${silent}.`,
      'Check again after a minute. If it stays so, end them and start the wrapper again.',
    )
  return ok(found.length === 0 ? 'No wrapper is published.' : `Wrappers that answer: ${namesOf('proven')}.`)
}

const nameOf = ({ record: { pid, version } }: AskedWrapper) => `process ${pid}, version ${version}`

/** The checks of running wrappers. */
export const wrapperChecks: DoctorChecks = { 'hand-off': handOff, lock, wrapper, pipes }

/** Bytes that are read from the end of a file. A file is larger only if Windows could not rename it. */
const tailBytes = 2 * 1024 * 1024

const recentMs = 24 * 60 * 60 * 1000

/** Events to report to an administrator, even after later errors. */
const incidents: ReadonlySet<string> = new Set<WrapperEvent['type']>(['pipe-taken', 'hand-off-taken'])

/** An error's line in the log. The time is in UTC. */
const errorSchema = z.object({
  level: z.literal('error'),
  time: z.iso.datetime(),
  event: z.string().regex(/^[a-z-]{1,40}$/),
  pipe: z.string().optional(),
  owner: z.number().optional(),
  code: z
    .string()
    .regex(/^ERR_[A-Z_]{1,60}$/)
    .optional(),
  reason: z
    .string()
    .regex(/^[\w-]{1,40}$/)
    .optional(),
})

/** Remedies for a failed start by its code, or by code and reason. */
const remedies: Readonly<Record<string, string>> = {
  'ERR_ENGINE, not-available': 'See the checks engine and display.',
  'ERR_ENGINE, profile-in-use':
    'End the browser that uses the profile: the folder whose name begins with browser in the user folder.',
  'ERR_ENGINE, timeout': 'End the browser’s remaining processes, and check whether it starts by itself.',
  'ERR_USER_FOLDER, disk-full': 'Free space on the disk of the user folder: see the check user-folder.',
  'ERR_USER_FOLDER, read-only': 'Let the user write to the user folder: see the check user-folder.',
  ERR_ENGINE: 'Check whether the browser starts by itself. If not, install it again.',
  ERR_CONFIG_FILE: 'Correct the file: see the checks application-root and settings.',
  ERR_APP_URL: 'Correct the setting AppUrl.',
  ERR_PRIVATE_FOLDER: 'See the checks hand-off and lock.',
  ERR_INSTANCE_BUSY: 'End the process of the wrapper that takes no launches: see the check wrapper.',
  ERR_INSTANCE_ACCESS: 'Start it as the owner of the folder, without administrator rights.',
  ERR_INTERNAL: 'Report it, with the log.',
}

/** Reports the place of the log, and serious errors of the last day. */
async function log({ folders: { userFolder }, settings }: DoctorContext): Promise<Finding> {
  const { LogLevel } = (await settings()).values
  if (LogLevel === 'off') return ok('The setting LogLevel is off: nothing is written.')
  const file = join(userFolder, 'logs', 'wrapper.log')
  const tail = await readTail(file)
  if (!tail) return ok(`${file} is not there yet.`)
  if (!(await isWritable(file)))
    return problem(`${file} cannot be written to.`, 'Give it to this user, or remove it.')
  const sentence = `${file}, ${Math.ceil(tail.size / 1024)} KiB`
  // A full newest file must not hide an incident.
  const older = await readTail(join(userFolder, 'logs', 'wrapper.1.log')).catch(() => undefined)
  const errors = [older, tail].flatMap(found => found?.text.split('\n') ?? []).map(readError)
  const last = errors.findLast(Boolean)
  if (!last) return ok(`${sentence}, no error near its end.`)
  const incident = errors.findLast(error => error && incidents.has(error.event) && isRecent(error))
  if (incident)
    return problem(
      `${sentence}, incident: ${incident.event} at ${incident.time}. Somebody else had a name of this user’s wrapper${ownerOf(incident)}.`,
      'Report it to the administrator of this machine, with the log. When it has been removed, start the wrapper again.',
    )
  const failed = errors.findLast(error => error?.event === 'start-failed' && isRecent(error))
  if (failed?.code !== undefined) {
    const what = failed.reason === undefined ? failed.code : `${failed.code}, ${failed.reason}`
    return warning(
      `${sentence}, the start at ${failed.time} failed (${what}).`,
      remedies[what] ?? remedies[failed.code] ?? 'Start it from a terminal: it says what to do.',
    )
  }
  const told = `${sentence}, last error: ${last.event} at ${last.time}.`
  if (!isRecent(last)) return ok(told)
  return warning(told, 'Read the lines before it in the log.')
}

function ownerOf({ pipe, owner }: z.output<typeof errorSchema>): string {
  return `${pipe === undefined ? '' : `: ${pipe}`}${owner === undefined ? '' : `, which belongs to the user with the id ${owner}`}`
}

function isRecent({ time }: { readonly time: string }): boolean {
  return Date.now() - Date.parse(time) <= recentMs
}

async function readTail(file: string): Promise<{ readonly size: number; readonly text: string } | undefined> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  })
  if (!handle) return undefined
  try {
    const { size } = await handle.stat()
    const start = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(tailBytes), 0, tailBytes, start)
    return { size, text: buffer.toString('utf8', 0, bytesRead) }
  } finally {
    await handle.close()
  }
}

function readError(line: string): z.output<typeof errorSchema> | undefined {
  if (!line.includes('"error"')) return undefined
  try {
    return errorSchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined
  }
}

async function isWritable(file: string): Promise<boolean> {
  try {
    await access(file, constants.W_OK)
    await access(dirname(file), constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The check of the log. */
export const logChecks: DoctorChecks = { log }
