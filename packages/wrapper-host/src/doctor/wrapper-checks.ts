import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listWrapperRecords } from '@service-link/pipe-client/records'
import { connectProven } from '@service-link/pipe-client/running'
import type { WrapperRecord } from '@service-link/protocol-core'
import { Deadline, pause } from '@service-link/protocol-core/time'
import * as z from 'zod/mini'
import { checkPrivateFolder } from '../files/access.ts'
import type { WrapperEvent } from '../log/events.ts'
import { failureReason } from '../log/failure-reason.ts'
import { isLockHeld } from '../start/instance-lock.ts'
import { locateInstance } from '../start/instance-place.ts'
import {
  type DoctorChecks,
  type DoctorInput,
  type Finding,
  ok,
  problem,
  skipped,
  warning,
} from './doctor-check.ts'

/** Checks the folder of the records, and this user's wrappers on all desktops, by their proof. */
async function wrapper(input: DoctorInput, signal: AbortSignal): Promise<Finding> {
  const { brand, environment, wrapperTimeoutMs } = input
  const { userFolder } = input.folders
  const place = locateInstance({ application: brand.application, userFolder, environment })
  checkPrivateFolder(place.privateFolder)
  const deadline = new Deadline(wrapperTimeoutMs, signal)
  for (;;) {
    const asked = await Promise.all(
      listWrapperRecords(userFolder).map(record => askWrapper(record, wrapperTimeoutMs, signal)),
    )
    const namesOf = (state: AskedWrapper['state']) =>
      asked.flatMap(({ record, ...each }) => (each.state === state ? [nameOf(record)] : [])).join('; ')
    const [proven, silent, unproven] = [namesOf('proven'), namesOf('silent'), namesOf('unproven')]
    if (unproven)
      return problem(
        `Incident: something answers in place of a wrapper of this user, without its proof: ${unproven}.`,
        'Have the administrator find out which process listens there. Then end these processes, and start the wrapper again.',
      )
    const isOwnProven = asked.some(
      ({ record, state }) => state === 'proven' && record.desktop === place.desktop,
    )
    if (!silent && (isOwnProven || !isLockHeld(place.lockFile)))
      return proven ? ok(`Wrappers that answer: ${proven}.`) : skipped('No wrapper of this user runs.')
    if (deadline.isOver || signal.aborted)
      return problem(
        silent
          ? `These processes have published a wrapper and do not answer: ${silent}.`
          : 'A process holds the instance, and takes no launches.',
        'Check again after a minute. If it stays so, end the process and start the wrapper again.',
      )
    await pause(200, signal)
  }
}

/** `proven`: this user's wrapper. `silent`: no answer in time. `unproven`: another process answers. */
interface AskedWrapper {
  readonly record: WrapperRecord
  readonly state: 'proven' | 'silent' | 'unproven'
}

async function askWrapper(
  record: WrapperRecord,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<AskedWrapper> {
  const outcome = await connectProven(record, { timeoutMs, signal })
  if ('failure' in outcome) return { record, state: outcome.failure === 'unproven' ? 'unproven' : 'silent' }
  outcome.socket.destroy()
  return { record, state: 'proven' }
}

const nameOf = ({ pid, version }: WrapperRecord) => `process ${pid}, version ${version}`

const recentMs = 24 * 60 * 60 * 1000

/** Events to report to an administrator, even after later errors. */
const incidents: ReadonlySet<string> = new Set<WrapperEvent['type']>(['pipe-taken', 'hand-off-taken'])

const errorSchema = z.object({
  level: z.literal('error'),
  time: z.iso.datetime().check(z.refine(time => Date.now() - Date.parse(time) <= recentMs)),
  event: z.string().check(z.regex(/^[a-z-]{1,40}$/)),
  pipe: z.optional(z.string()),
  owner: z.optional(z.number()),
  code: z.optional(z.string().check(z.regex(/^ERR_[A-Z_]{1,60}$/))),
  reason: z.optional(z.string().check(z.regex(/^[\w-]{1,40}$/))),
})

async function log({ folders: { userFolder }, settings }: DoctorInput): Promise<Finding> {
  if ((await settings()).values.LogLevel === 'off')
    return ok('The setting LogLevel is off: nothing is written.')
  const file = join(userFolder, 'logs', 'wrapper.log')
  const texts = await Promise.all([join(userFolder, 'logs', 'wrapper.1.log'), file].map(readIfThere))
  const errors = texts.join('\n').split('\n').flatMap(readError)
  const incident = errors.findLast(({ event }) => incidents.has(event))
  if (incident)
    return problem(
      `${file}, incident: ${incident.event} at ${incident.time}. Somebody else had a name of this user’s wrapper${ownerOf(incident)}.`,
      'Report it to the administrator of this machine, with the log. When it has been removed, start the wrapper again.',
    )
  const failed = errors.findLast(({ event }) => event === 'start-failed')
  if (failed?.code !== undefined)
    return warning(
      `${file}, the start at ${failed.time} failed (${[failed.code, failed.reason].filter(Boolean).join(', ')}).`,
      'See the other checks. Start the wrapper from a terminal: it says what to do.',
    )
  const last = errors.at(-1)
  if (!last) return ok(`${file}, no error within a day.`)
  return warning(
    `${file}, last error: ${last.event} at ${last.time}.`,
    'Read the lines before it in the log.',
  )
}

function ownerOf({ pipe, owner }: z.output<typeof errorSchema>): string {
  return `${pipe === undefined ? '' : `: ${pipe}`}${owner === undefined ? '' : `, which belongs to the user with the id ${owner}`}`
}

async function readIfThere(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (failureReason(error) === 'ENOENT') return ''
    throw error
  })
}

function readError(line: string): z.output<typeof errorSchema>[] {
  if (!line.includes('"error"')) return []
  try {
    const { data } = errorSchema.safeParse(JSON.parse(line))
    return data ? [data] : []
  } catch {
    return []
  }
}

export const wrapperChecks: DoctorChecks = { wrapper, log }
