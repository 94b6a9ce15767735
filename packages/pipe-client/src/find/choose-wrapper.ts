import { PipeAmbiguousError, PipeNotFoundError } from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import type { PipePlatform } from '../platform/pipe-platform.ts'
import type { FoundWrapper } from './find-wrappers.ts'

/** This user's wrappers, by whether they can be meant. */
export interface SessionWrappers {
  /** Those of this process's login session or, when none is known to be, those of no known session. */
  readonly ours: readonly FoundWrapper[]
  /** The rest: they belong to other sessions of this user. */
  readonly others: readonly FoundWrapper[]
}

/**
 * Keeps wrappers of this user's other login sessions apart, so that nobody appears on a desktop that the caller does not
 * see. A process without a session, as over SSH, has no desktop of its own and may mean any.
 *
 * @param found this user's wrappers, see `findWrappers`
 * @param platform tells sessions; default: this process's
 */
export async function separateSessions(
  found: readonly FoundWrapper[],
  platform: Pick<PipePlatform, 'loginSessionOf'> = currentPlatform,
): Promise<SessionWrappers> {
  if (found.length === 0) return { ours: [], others: [] }
  const [own, ...sessions] = await Promise.all(
    [process.pid, ...found.map(({ pid }) => pid)].map(pid => platform.loginSessionOf(pid)),
  )
  const isSame = (index: number) => own !== undefined && sessions[index] === own
  const isUnknown = (index: number) => !own || !sessions[index]
  const isOurs = found.some((_, index) => isSame(index)) ? isSame : isUnknown
  return {
    ours: found.filter((_, index) => isOurs(index)),
    others: found.filter((_, index) => !isOurs(index)),
  }
}

/**
 * Chooses the wrapper that a command is for.
 *
 * @throws {PipeNotFoundError} when this session has none
 * @throws {PipeAmbiguousError} when it has several, or cannot be told from others
 */
export function chooseWrapper({ ours, others }: SessionWrappers): FoundWrapper {
  const [chosen, ...more] = ours
  const pidsOf = (wrappers: readonly FoundWrapper[]) => wrappers.map(({ pid }) => pid)
  if (!chosen) throw new PipeNotFoundError(undefined, pidsOf(others))
  if (more.length > 0) throw new PipeAmbiguousError(pidsOf(ours))
  return chosen
}
