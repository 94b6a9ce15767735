import type { Brand } from '@service-link/protocol-core/brand'
import type { CallBounds } from '../connection/call-bounds.ts'
import { wait } from '../connection/wait.ts'
import { PipeNotFoundError } from '../errors/pipe-error.ts'
import { chooseWrapper, separateSessions } from '../find/choose-wrapper.ts'
import { type FindWrappersOptions, type FoundWrapper, findWrappers } from '../find/find-wrappers.ts'
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
 * Tells which wrapper to connect to, and starts it where none runs and that is wished.
 *
 * @throws {PipeNotFoundError} when none is running
 * @throws whatever finding, choosing and launching throw
 */
export async function findOrStartWrapper(
  { brand, pid, launchArgs }: WrapperChoice,
  { timeoutMs, signal }: CallBounds,
): Promise<FoundWrapper> {
  if (pid !== undefined) return { pid, address: currentPlatform.addressOf(brand, pid) }
  const abortable = signal ? { signal } : {}
  const deadlineMs = performance.now() + timeoutMs
  const found = await findBySession({ brand, timeoutMs, ...abortable })
  if (found.ours.length > 0 || !launchArgs) return chooseWrapper(found)
  const leftMs = Math.max(0, deadlineMs - performance.now())
  const outcome = await launchWrapper(launchArgs, { brand, timeoutMs: leftMs, ...abortable })
  if (outcome.role === 'started')
    return { pid: outcome.pid, address: currentPlatform.addressOf(brand, outcome.pid) }
  // Somebody else has started it meanwhile; its pipe comes a moment later.
  for (;;) {
    const running = await findBySession({ brand, ...abortable })
    if (running.ours.length > 0) return chooseWrapper(running)
    if (performance.now() >= deadlineMs) throw new PipeNotFoundError()
    await wait(pauseMs, signal)
  }
}

const findBySession = async (options: FindWrappersOptions) => separateSessions(await findWrappers(options))
