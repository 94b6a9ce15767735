import type { CallBounds } from '../connection/call-bounds.ts'
import { PipeAmbiguousError, PipeNotFoundError } from '../errors/pipe-error.ts'
import type { FoundWrapper } from './find-wrappers.ts'

/** Tells the login session of each process, see `PipePlatform.loginSessionsOf`. */
export type TellSessions = (
  pids: readonly number[],
  bounds: CallBounds,
) => Promise<readonly (string | undefined)[]>

/** This user's wrappers, by whether they can be meant. */
export interface SessionWrappers {
  /** Those of this process's login session or, when there are none, those without a session. */
  readonly ours: readonly FoundWrapper[]
  /** Those whose session cannot be told, unless this session has one for sure. */
  readonly untold: readonly FoundWrapper[]
  /** The rest: they belong to other sessions of this user. */
  readonly others: readonly FoundWrapper[]
}

/**
 * Keeps wrappers of this user's other login sessions apart, so that nobody appears on a desktop that the caller does not
 * see. A process without a session, as over SSH, has no desktop of its own and may mean any.
 *
 * @param found this user's wrappers, see `findWrappers`
 * @param tellSessions asked once
 * @param keptSession whose wrappers are taken for those of this process's session, and none beside them. Default: none
 * @throws whatever telling a session throws
 */
export async function separateSessions(
  found: readonly FoundWrapper[],
  tellSessions: TellSessions,
  bounds: CallBounds,
  keptSession?: string,
): Promise<SessionWrappers> {
  if (found.length === 0) return { ours: [], untold: [], others: [] }
  const [told, ...sessions] = await tellSessions([process.pid, ...found.map(({ pid }) => pid)], bounds)
  const own = keptSession ?? told
  if (own === undefined) return { ours: [], untold: found, others: [] }
  const isSure = sessions.includes(own)
  const groupOf = (session: string | undefined): keyof SessionWrappers => {
    if (session === own) return 'ours'
    if (isSure) return 'others'
    if (session === undefined) return 'untold'
    if (keptSession !== undefined) return 'others'
    return own === '' || session === '' ? 'ours' : 'others'
  }
  const inGroup = (group: keyof SessionWrappers) =>
    found.filter((_, index) => groupOf(sessions[index]) === group)
  return { ours: inGroup('ours'), untold: inGroup('untold'), others: inGroup('others') }
}

/**
 * Chooses the wrapper that a command is for.
 *
 * @throws {PipeNotFoundError} when this session has none
 * @throws {PipeAmbiguousError} when it has several, or one may be of another session
 */
export function chooseWrapper({ ours, untold, others }: SessionWrappers): FoundWrapper {
  const possible = [...ours, ...untold]
  const [chosen] = ours
  const pidsOf = (wrappers: readonly FoundWrapper[]) => wrappers.map(({ pid }) => pid)
  if (possible.length === 0) throw new PipeNotFoundError(undefined, pidsOf(others))
  if (!chosen || possible.length > 1) throw new PipeAmbiguousError(pidsOf(possible))
  return chosen
}
