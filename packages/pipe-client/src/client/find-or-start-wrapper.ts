import type { Brand } from '@service-link/protocol-core/brand'
import { awaitWithin } from '../connection/await-within.ts'
import type { CallBounds } from '../connection/call-bounds.ts'
import { wait } from '../connection/wait.ts'
import {
  type PipeError,
  PipeNotFoundError,
  PipeNotInstalledError,
  PipeTimeoutError,
  PipeUnprovenError,
} from '../errors/pipe-error.ts'
import { chooseWrapper, type SessionWrappers, separateSessions } from '../find/choose-wrapper.ts'
import { type FoundWrapper, findWrappers } from '../find/find-wrappers.ts'
import { proveWrappers } from '../find/prove-wrappers.ts'
import { rememberSessions } from '../find/remember-sessions.ts'
import { launchWrapper } from '../launch/launch-wrapper.ts'
import { currentPlatform } from '../platform/current-platform.ts'

/** Pauses before a wrapper that has just been started by somebody else is looked for again, in milliseconds; they double. */
const firstPauseMs = 50
const longestPauseMs = 500

/** How long after the launch went to a wrapper that runs one that answers without its proof may yet be another, in milliseconds. */
const unprovenMs = 10_000

/** Which wrapper is meant. */
export interface WrapperChoice {
  readonly brand: Brand
  /** Only the one that is this process. */
  readonly pid: number | undefined
  /** Arguments of the launch that starts one when there is none; `undefined` starts none. */
  readonly launchArgs: readonly string[] | undefined
  /** The login session whose wrapper alone is meant; `undefined` for this process's own, see {@link separateSessions}. */
  readonly keptSession: string | undefined
}

/** The wrapper that is meant. */
export interface ChosenWrapper {
  readonly wrapper: FoundWrapper
  /** Its login session; `undefined` where that was not asked for, as the process id was given, or is not known. */
  readonly session: string | undefined
}

/**
 * Tells which wrapper to connect to, and starts it where none runs and that is wished. All of it together has the time of the bounds.
 * Where the operating system does not tell whose pipes they are, and there is a key, only those count that have proven whose they are,
 * so that nobody else can make a choice of them, or keep a wrapper from being started; where there is one alone and none is to be
 * started, it is asked by whoever connects to it.
 *
 * The arguments of a launch go to a wrapper that this starts, and to no other: where something was found and left out, which may be a
 * wrapper that is slow or older, the launch has none at first, since it is handed over to whichever wrapper runs. None is started for
 * another login session than this process's own.
 *
 * @throws {PipeNotFoundError} when none is running
 * @throws {PipeTimeoutError} when the time is over
 * @throws the signal's reason when it is aborted
 * @throws whatever finding, choosing and launching throw
 */
export async function findOrStartWrapper(
  { brand, pid, launchArgs, keptSession }: WrapperChoice,
  { timeoutMs, signal }: CallBounds,
): Promise<ChosenWrapper> {
  const at = (pid: number): FoundWrapper => ({ pid, address: currentPlatform.addressOf(brand, pid) })
  if (pid !== undefined) return { wrapper: at(pid), session: undefined }
  const abortable = signal ? { signal } : {}
  const startedAt = performance.now()
  const leftMs = () => Math.max(0, timeoutMs - (performance.now() - startedAt))
  const tellSessions = rememberSessions(currentPlatform)
  const boundsNow = (): CallBounds => ({ timeoutMs, spentMs: performance.now() - startedAt, signal })
  const sessionOf = async (pid: number) => (await tellSessions([pid], boundsNow()))[0]
  const choose = async (found: SearchResult): Promise<ChosenWrapper> => {
    const wrapper = chooseProven(found)
    return { wrapper, session: await sessionOf(wrapper.pid) }
  }
  const find = () => {
    const bounds = boundsNow()
    const search = async () => {
      const found = await findWrappers({ brand, timeoutMs: leftMs() / 2, ...abortable })
      const wrappers = await separateSessions(found, tellSessions, bounds, keptSession)
      return keepProven(brand, wrappers, launchArgs !== undefined, {
        ...bounds,
        timeoutMs: leftMs(),
        spentMs: 0,
      })
    }
    return awaitWithin(search(), bounds, 'The search for a wrapper did not end')
  }

  const found = await find()
  if (isChoice(found) || !launchArgs) return choose(found)
  // What is started has this process's session.
  const session = await awaitWithin(sessionOf(process.pid), boundsNow(), 'The login session was not told')
  if (keptSession !== undefined && keptSession !== session) return choose(found)
  const launch = (args: readonly string[]) =>
    launchWrapper(args, { brand, timeoutMs: Math.ceil(leftMs()), ...abortable })
  const first = await launch(found.failure ? [] : launchArgs).catch(error => {
    // Nothing can be started: what is there is what there is to tell of.
    throw error instanceof PipeNotInstalledError && found.failure ? found.failure : error
  })
  if (first.role === 'started') {
    // What was just started has the lock, so that the arguments come to it.
    const hasArgs = !found.failure || launchArgs.length === 0
    const second = hasArgs ? first : await launch(launchArgs)
    const { pid } = second.role === 'started' ? second : first
    return { wrapper: at(pid), session }
  }
  // Another one runs, and has taken the launch; its pipe may come a moment later.
  const handedOverAt = performance.now()
  let { failure } = found
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    const running = await find().catch(error => {
      throw error instanceof PipeTimeoutError && failure ? failure : error
    })
    if (isChoice(running)) return choose(running)
    failure = running.failure ?? failure
    const isSettled =
      running.failure instanceof PipeUnprovenError && performance.now() - handedOverAt >= unprovenMs
    if (isSettled || leftMs() === 0) throw failure ?? new PipeNotFoundError()
    await wait(Math.min(pauseMs, leftMs()), signal)
  }
}

/** What a search has found. */
interface SearchResult extends SessionWrappers {
  /** Why nothing is left of what could be meant: none of it has proven whose it is. */
  readonly failure: PipeError | undefined
}

async function keepProven(
  brand: Brand,
  wrappers: SessionWrappers,
  isStarting: boolean,
  bounds: CallBounds,
): Promise<SearchResult> {
  const { ours, untold } = wrappers
  const possible = [...ours, ...untold]
  const isAskedLater = !isStarting && untold.length === 0 && ours.length === 1
  const outcome =
    possible.length === 0 || isAskedLater ? undefined : await proveWrappers(brand, possible, bounds)
  if (!outcome) return { ...wrappers, failure: undefined }
  const isProven = (wrapper: FoundWrapper) => outcome.proven.includes(wrapper)
  return {
    ...wrappers,
    ours: ours.filter(isProven),
    untold: untold.filter(isProven),
    failure: outcome.failure,
  }
}

function chooseProven({ failure, ...wrappers }: SearchResult): FoundWrapper {
  if (failure) throw failure
  return chooseWrapper(wrappers)
}

/** Whether there is one that can be meant: then none is started beside it. */
const isChoice = ({ ours, untold }: SessionWrappers) => ours.length > 0 || untold.length > 0
