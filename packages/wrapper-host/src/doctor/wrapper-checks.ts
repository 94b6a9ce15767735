import { lstat } from 'node:fs/promises'
import { isThisUsersAlone, readWrapperRecord } from '@service-link/pipe-client/running'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { isLockHeld } from '../start/instance-lock.ts'
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
} from './doctor-check.ts'

/** How long a wrapper may hold the instance without taking launches, in milliseconds: it starts or exits then. */
const betweenMs = 4000

function placeOf({ brand, folders: { userFolder }, environment }: DoctorContext): InstancePlace {
  return locateInstance({ application: brand.application, userFolder, environment })
}

/** Asks the wrapper of this login session, if one is published. */
async function askOwn(place: InstancePlace, signal: AbortSignal): Promise<AskedWrapper | undefined> {
  const record = readWrapperRecord(place.recordFile)
  return record && askWrapper(record, signal)
}

/** Where a second start hands its launch over. */
async function handOff(context: DoctorContext, signal: AbortSignal): Promise<Finding> {
  const place = placeOf(context)
  const found = await lstat(place.privateFolder).catch(() => undefined)
  if (!found) return ok('No launch can be handed over yet: the first start makes the folder of the record.')
  if (!found.isDirectory() || !isThisUsersAlone(found))
    return problem(
      `${place.privateFolder}, the folder of the wrapper’s record, is not this user’s alone.`,
      'Find out who made it, and remove it.',
    )
  const own = await askOwn(place, signal)
  return ok(
    own?.state === 'proven'
      ? `A wrapper listens at the address in ${place.recordFile}.`
      : 'No process takes launches in this login session.',
  )
}

/** The lock that makes one process the wrapper. */
function lock(context: DoctorContext): Finding {
  const { lockFile } = placeOf(context)
  return ok(
    isLockHeld(lockFile) ? `A process holds ${lockFile}.` : 'No process holds the lock of the instance.',
  )
}

/** The wrapper of this login session: whether it is there, and whether it does its work. */
async function wrapper(context: DoctorContext, signal: AbortSignal): Promise<Finding> {
  const place = placeOf(context)
  const between = new Deadline(betweenMs)
  while (isLockHeld(place.lockFile)) {
    const own = await askOwn(place, signal)
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

/** The wrappers of this user in all login sessions, which programs find by their records. */
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
      `Incident: something answers in the place of a wrapper of this user, and did not prove to be it: ${unproven}.`,
      'Have the administrator find out which process listens there. Then end these processes, and start the wrapper again.',
    )
  const silent = namesOf('silent')
  if (silent)
    return problem(
      `These processes have published a wrapper and do not answer as it does: ${silent}.`,
      'Look again after a minute. If it stays so, end them and start the wrapper again.',
    )
  return ok(found.length === 0 ? 'No wrapper is published.' : `Wrappers that answer: ${namesOf('proven')}.`)
}

const nameOf = ({ record: { pid, version } }: AskedWrapper) => `process ${pid}, version ${version}`

/** The running wrappers of this user. */
export const wrapperChecks: DoctorChecks = { 'hand-off': handOff, lock, wrapper, pipes }
