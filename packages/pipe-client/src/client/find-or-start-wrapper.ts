import { resolve } from 'node:path'
import type { WrapperRecord } from '@service-link/protocol-core'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { type Deadline, pause } from '@service-link/protocol-core/time'
import { PipeNotFoundError } from '../errors/pipe-error.ts'
import { chooseRecord, type WrapperChoice } from '../find/find-wrappers.ts'
import { isAlive, ownDesktop } from '../running/wrapper-record.ts'

/** Pause between two looks for the record of a wrapper that has just started, in milliseconds. */
const pauseMs = 50

/** Longest time, in milliseconds, that a living process may have no record. */
const absenceMs = 5_000

/** The wrapper to connect to. */
interface StartChoice extends WrapperChoice {
  /** Arguments of the launch that starts a wrapper if none runs. `undefined` starts none. */
  readonly launchArgs: readonly string[] | undefined
}

/**
 * Finds the wrapper to connect to. Starts it if none runs and the caller wishes. The arguments of the launch go to the
 * wrapper that this starts, or to one that another program starts at the same time. Starts none for another desktop.
 */
export async function findOrStartWrapper(
  { launchArgs, ...choice }: StartChoice,
  deadline: Deadline,
): Promise<WrapperRecord> {
  const { pid, keptDesktop, brand = defaultBrand, userFolder } = choice
  const { signal } = deadline
  const isOwnDesktop = keptDesktop === undefined || keptDesktop === ownDesktop()
  if (pid !== undefined) return awaitRecord(choice, deadline.atMost(absenceMs))
  if (!launchArgs || !isOwnDesktop) return chooseRecord(choice, deadline)
  const running = await unlessNone(chooseRecord(choice, deadline))
  if (running) return running
  const environment = userFolder === undefined ? {} : { SERVICE_WRAPPER_DATA: resolve(userFolder) }
  const { launchWrapper } = await import('../launch/launch-wrapper.ts')
  const launched = await launchWrapper(launchArgs, {
    brand,
    environment: { ...process.env, ...environment },
    timeoutMs: Math.ceil(deadline.leftMs),
    ...(signal ? { signal } : {}),
  })
  return awaitRecord({ ...choice, pid: launched.pid }, deadline)
}

/** Waits for the record of a wrapper that may have just started. */
async function awaitRecord(choice: WrapperChoice, deadline: Deadline): Promise<WrapperRecord> {
  const { pid } = choice
  for (; ; await pause(pauseMs, deadline.signal)) {
    const found = await unlessNone(chooseRecord(choice, deadline))
    if (found) return found
    if (deadline.isOver || (pid !== undefined && !isAlive(pid))) throw new PipeNotFoundError(pid)
  }
}

async function unlessNone(choosing: Promise<WrapperRecord>): Promise<WrapperRecord | undefined> {
  try {
    return await choosing
  } catch (error) {
    if (error instanceof PipeNotFoundError) return undefined
    throw error
  }
}
