import type { Brand } from '@service-link/protocol-core/brand'
import { awaitWithin } from '../connection/await-within.ts'
import type { CallBounds } from '../connection/call-bounds.ts'
import { wait } from '../connection/wait.ts'
import { PipeNotFoundError } from '../errors/pipe-error.ts'
import { chooseWrapper, type SessionWrappers, separateSessions } from '../find/choose-wrapper.ts'
import { type FoundWrapper, findWrappers } from '../find/find-wrappers.ts'
import { rememberSessions } from '../find/remember-sessions.ts'
import { launchWrapper } from '../launch/launch-wrapper.ts'
import { currentPlatform } from '../platform/current-platform.ts'

/** Pause before a wrapper that has just been started by somebody else is looked for again, in milliseconds. */
const pauseMs = 50

/** Which wrapper is meant. */
export interface WrapperChoice {
  readonly brand: Brand
  /** Only the one that is this process. */
  readonly pid: number | undefined
  /** Arguments of the launch that starts one when there is none; `undefined` starts none. */
  readonly launchArgs: readonly string[] | undefined
}

/**
 * Tells which wrapper to connect to, and starts it where none runs and that is wished. All of it together has the time of the bounds.
 *
 * @throws {PipeNotFoundError} when none is running
 * @throws {PipeTimeoutError} when the time is over
 * @throws the signal's reason when it is aborted
 * @throws whatever finding, choosing and launching throw
 */
export async function findOrStartWrapper(
  { brand, pid, launchArgs }: WrapperChoice,
  { timeoutMs, signal }: CallBounds,
): Promise<FoundWrapper> {
  if (pid !== undefined) return { pid, address: currentPlatform.addressOf(brand, pid) }
  const abortable = signal ? { signal } : {}
  const startedAt = performance.now()
  const leftMs = () => Math.max(0, timeoutMs - (performance.now() - startedAt))
  const tellSession = rememberSessions(currentPlatform)
  const find = () => {
    const bounds: CallBounds = { timeoutMs, spentMs: performance.now() - startedAt, signal }
    const search = async () =>
      separateSessions(await findWrappers({ brand, timeoutMs: leftMs(), ...abortable }), tellSession, bounds)
    return awaitWithin(search(), bounds, 'The search for a wrapper did not end')
  }

  const found = await find()
  if (isChoice(found) || !launchArgs) return chooseWrapper(found)
  const outcome = await launchWrapper(launchArgs, { brand, timeoutMs: Math.ceil(leftMs()), ...abortable })
  if (outcome.role === 'started')
    return { pid: outcome.pid, address: currentPlatform.addressOf(brand, outcome.pid) }
  // Somebody else has started it meanwhile; its pipe comes a moment later.
  for (;;) {
    const running = await find()
    if (isChoice(running)) return chooseWrapper(running)
    if (leftMs() === 0) throw new PipeNotFoundError()
    await wait(pauseMs, signal)
  }
}

/** Whether there is one that can be meant: then none is started beside it. */
const isChoice = ({ ours, untold }: SessionWrappers) => ours.length > 0 || untold.length > 0
