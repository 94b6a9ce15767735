import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import type { CallBounds } from '../connection/call-bounds.ts'
import { wait } from '../connection/wait.ts'
import { PipeNotFoundError } from '../errors/pipe-error.ts'
import { chooseRecord, type WrapperChoice } from '../find/find-wrappers.ts'
import { launchWrapper } from '../launch/launch-wrapper.ts'
import { isAlive, ownLoginSession, type WrapperRecord } from '../running/wrapper-record.ts'

/** Pauses before a wrapper that somebody else has just started is looked for again, in milliseconds; they double. */
const firstPauseMs = 50
const longestPauseMs = 500

/** How long a process that lives may have no record, in milliseconds. */
const absenceMs = 5_000

/** Which wrapper is meant. */
export interface StartChoice extends WrapperChoice {
  readonly brand?: Brand
  /** Arguments of the launch that starts one when there is none; `undefined` starts none. */
  readonly launchArgs: readonly string[] | undefined
}

/**
 * Tells which wrapper to connect to, and starts it where none runs and that is wished. The arguments of a launch go to the
 * wrapper that this starts, or to one that somebody else starts at the same time. None is started for another login session
 * than this process's own.
 *
 * @throws {PipeNotFoundError} when none is running
 * @throws the signal's reason when it aborts
 * @throws whatever choosing and launching throw
 */
export async function findOrStartWrapper(
  { launchArgs, ...choice }: StartChoice,
  { timeoutMs, signal }: CallBounds,
): Promise<WrapperRecord> {
  const startedAt = performance.now()
  const leftMs = () => Math.max(0, timeoutMs - (performance.now() - startedAt))
  const choose = () => chooseRecord(choice, { timeoutMs: leftMs(), signal })
  const { pid, keptSession, brand = defaultBrand, userFolder } = choice
  const isOwnSession = keptSession === undefined || keptSession === ownLoginSession()
  if (pid !== undefined) return awaitRecord(pid)
  if (!launchArgs || !isOwnSession) return choose()
  const running = await unlessNone(choose)
  if (running) return running
  const environment = userFolder === undefined ? {} : { SERVICE_WRAPPER_DATA: userFolder }
  const launched = await launchWrapper(launchArgs, {
    brand,
    environment: { ...process.env, ...environment },
    timeoutMs: Math.ceil(leftMs()),
    ...(signal ? { signal } : {}),
  })
  const started = { ...choice, pid: launched.pid }
  // Another one that runs has taken the launch; its record may come a moment later.
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const found = await unlessNone(() => chooseRecord(started, { timeoutMs: leftMs(), signal }))
    if (found) return found
    if (leftMs() === 0) throw new PipeNotFoundError()
    await wait(Math.min(pauseMs, leftMs()), signal)
  }

  /** A process that has just been started may publish its record a moment later. */
  async function awaitRecord(pid: number): Promise<WrapperRecord> {
    for (const absence = performance.now(); ; await wait(Math.min(firstPauseMs, leftMs()), signal)) {
      const found = await unlessNone(choose)
      if (found) return found
      if (!isAlive(pid) || leftMs() === 0 || performance.now() - absence >= absenceMs)
        throw new PipeNotFoundError(pid)
    }
  }
}

async function unlessNone(choose: () => Promise<WrapperRecord>): Promise<WrapperRecord | undefined> {
  try {
    return await choose()
  } catch (error) {
    if (error instanceof PipeNotFoundError) return undefined
    throw error
  }
}
