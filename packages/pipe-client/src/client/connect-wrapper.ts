import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { assertOptions, type CallBounds } from '../connection/call-bounds.ts'
import type { Channel } from '../connection/channel.ts'
import { boundTimeout } from '../connection/timeout.ts'
import { defaultLaunchTimeoutMs } from '../launch/launch-wrapper.ts'
import { ConnectedWrapper } from './connected-wrapper.ts'
import { findOrStartWrapper } from './find-or-start-wrapper.ts'
import { openClassicChannel, openSessionChannel } from './open-channel.ts'
import { Reconnection } from './reconnection.ts'
import type { WrapperClient } from './wrapper-client.ts'

/** Longest wait for one call, in milliseconds: longer than the 30 seconds that the wrapper waits for its web app. */
export const defaultTimeoutMs = 35_000

/** Options of {@link connectWrapper}. */
export interface ConnectWrapperOptions {
  /** Process id of the wrapper. Default: the one wrapper that is running. */
  readonly pid?: number
  /** Names of the wrapper: vendor and application name the folder of its record. Default: the specification's. */
  readonly brand?: Brand
  /** Per-user folder of the wrapper. Default: as the brand, `SERVICE_WRAPPER_DATA` and the platform say. */
  readonly userFolder?: string
  /**
   * Longest wait for connecting, from the search for a wrapper to its first answer, and for each call that gives no time-out of its own, in milliseconds, `Infinity` for as
   * long as it takes. Default 35,000, and 60,000 for connecting where a wrapper may have to be started.
   */
  readonly timeoutMs?: number
  /** Gives connecting up, also a start that has begun; it then rejects with the signal's reason. Has no effect later. */
  readonly signal?: AbortSignal
  /**
   * `session` finds the wrapper by its record, and has it prove itself before anything is sent. `classic` is for wrappers of
   * other makers, and older ones, which publish no record: it connects to `servicepipe.<pid>` of the given `pid`. Nothing
   * proves there whose process it is; on Linux and macOS the socket has to belong to this user. Default `session`.
   */
  readonly mode?: 'session' | 'classic'
  /**
   * Starts the installed wrapper when none is running, with these arguments or with none. The arguments are for this one
   * start: they do not go to a wrapper that runs, and one that is started again later, when a call connects again, gets
   * none. Ignored when `pid` is given. Default false.
   */
  readonly startIfNeeded?: boolean | { readonly args: readonly string[] }
  /**
   * Whether a call that finds the connection ended connects again: only to the process of `pid` when that is given, else
   * to the one wrapper that runs then in the same login session as the first. Default true.
   */
  readonly reconnect?: boolean
  /**
   * Most calls that are with the wrapper at a time; others wait. Default 64, in the classic mode 8; at least 1. What a wrapper answers
   * at once in the session mode (`status`, `version`, `close`, the beginning of events) does not count.
   */
  readonly maxInFlight?: number
}

/**
 * Finds a running wrapper, or starts one, makes sure that it answers and is new enough, and returns a client connected
 * to it.
 *
 * @throws {PipeNotFoundError} when no wrapper is running, or none as this process
 * @throws {PipeAmbiguousError} when several can be meant, and `pid` is not given
 * @throws {PipeUnprovenError} when what answers did not prove to be the wrapper; nothing was sent to it then
 * @throws {PipeTooOldError} when the wrapper is older than 2.1.4.19787 (specification 8)
 * @throws {PipeNotInstalledError} when one is to be started and none is installed
 * @throws {PipeStartError} when it could not be started
 * @throws {ParameterError} when an option is of another kind
 * @throws {RangeError} when `timeoutMs` is negative or not a number, or `maxInFlight` is not a whole number of 1 or more
 * @throws whatever {@link WrapperClient} lists
 * @example
 * ```ts
 * import { connectWrapper } from '@service-link/pipe-client'
 *
 * await using wrapper = await connectWrapper()
 * await wrapper.selectPerson({ customId: '4711', firstname: 'Kari', lastname: 'Nordmann' })
 * ```
 */
export async function connectWrapper(options: ConnectWrapperOptions = {}): Promise<WrapperClient> {
  assertOptions(options, {
    pid: 'anyNumber?',
    userFolder: 'text?',
    mode: ['session', 'classic', undefined],
    reconnect: 'boolean?',
    maxInFlight: 'anyNumber?',
  })
  assertStart(options.startIfNeeded)
  const { maxInFlight, reconnect = true, signal } = options
  const timeoutMs = timeoutOf(options)
  signal?.throwIfAborted()
  if (maxInFlight !== undefined && !(Number.isInteger(maxInFlight) && maxInFlight > 0))
    throw new RangeError('maxInFlight is a whole number of calls, 1 or more.')

  if (options.mode === 'classic' && (options.pid === undefined || options.startIfNeeded))
    throw new ParameterError('options.mode', 'classic with the pid of a wrapper that runs')
  const first = await connectChannel(options, signal, launchArgsOf(options.startIfNeeded) ?? [])
  // What the first launch did is not done again, perhaps hours later: it may have put a person in focus.
  const connectAgain = async (given: AbortSignal) =>
    (await connectChannel(options, given, [], first.session)).channel
  return new ConnectedWrapper(
    new Reconnection(first.channel, reconnect ? connectAgain : undefined),
    timeoutMs,
  )
}

/**
 * The first part of {@link connectWrapper}: the channel alone.
 *
 * @param args of a start, where one is wished
 * @param keptSession login session whose wrapper alone is meant. Default: this process's own
 * @returns beside it the login session of its wrapper, where that was told
 */
export async function connectChannel(
  options: ConnectWrapperOptions,
  signal: AbortSignal | undefined,
  args: readonly string[],
  keptSession?: string,
): Promise<{ readonly channel: Channel; readonly session: string | undefined }> {
  const { brand = defaultBrand, pid, userFolder, mode, maxInFlight, reconnect = true } = options
  const timeoutMs = timeoutOf(options)
  const launchArgs = launchArgsOf(options.startIfNeeded) && args
  const connectMs = launchArgs && options.timeoutMs === undefined ? defaultLaunchTimeoutMs : timeoutMs
  const startedAt = performance.now()
  const bounds: CallBounds = { timeoutMs: connectMs, spentMs: 0, signal }
  const how = { maxInFlight, timeoutMs, reconnect }
  if (mode === 'classic' && pid !== undefined)
    return { channel: await openClassicChannel(brand, pid, how, bounds), session: undefined }
  const where = { brand, ...(userFolder === undefined ? {} : { userFolder }) }
  const record = await findOrStartWrapper({ ...where, pid, launchArgs, keptSession }, bounds)
  const spentMs = performance.now() - startedAt
  return { channel: await openSessionChannel(record, how, { ...bounds, spentMs }), session: record.session }
}

function assertStart(startIfNeeded: unknown): void {
  if (startIfNeeded === undefined || typeof startIfNeeded === 'boolean') return
  const name = 'options.startIfNeeded'
  if (typeof startIfNeeded !== 'object' || !startIfNeeded)
    throw new ParameterError(name, 'true, false or an object with args')
  assertParameter(name, startIfNeeded, 'object', { args: 'list' })
}

const timeoutOf = ({ timeoutMs = defaultTimeoutMs }: ConnectWrapperOptions) => boundTimeout(timeoutMs)

function launchArgsOf(startIfNeeded: ConnectWrapperOptions['startIfNeeded']) {
  if (typeof startIfNeeded === 'object') return startIfNeeded.args
  return startIfNeeded ? [] : undefined
}
