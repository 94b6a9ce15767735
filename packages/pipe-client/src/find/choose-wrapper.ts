import { PipeAmbiguousError, PipeNotFoundError } from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import type { PipePlatform } from '../platform/pipe-platform.ts'
import type { FoundWrapper } from './find-wrappers.ts'

/**
 * Chooses the wrapper that a command is for: the one that is running or, when there are several, the one of this process's login
 * session. Sessions are looked at only then.
 *
 * @param found this user's wrappers, see `findWrappers`
 * @param platform tells sessions; default: this process's
 * @throws {PipeNotFoundError} when there is none
 * @throws {PipeAmbiguousError} when there are several, of which this session has none or several, or cannot be told from others
 */
export async function chooseWrapper(
  found: readonly FoundWrapper[],
  platform: Pick<PipePlatform, 'loginSessionOf'> = currentPlatform,
): Promise<FoundWrapper> {
  const [first, ...others] = found
  if (!first) throw new PipeNotFoundError()
  if (others.length === 0) return first
  const own = await platform.loginSessionOf(process.pid)
  const sessions = await Promise.all(found.map(({ pid }) => platform.loginSessionOf(pid)))
  const ours = found.filter((_, index) => own !== undefined && sessions[index] === own)
  const [chosen, ...more] = ours
  if (chosen && more.length === 0) return chosen
  throw new PipeAmbiguousError((chosen ? ours : found).map(({ pid }) => pid))
}
