import { parse, resolve } from 'node:path'
import type { WrapperRecord } from '@service-link/protocol-core'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { Deadline, pause } from '@service-link/protocol-core/time'
import type { Channel, OnWarning } from '../connection/channel.ts'
import { assertOptions, limits } from '../errors/assert-options.ts'
import { PipeNotFoundError, PipeUnprovenError } from '../errors/pipe-error.ts'
import { chooseRecord, type RecordOptions, type WrapperChoice } from '../find/find-wrappers.ts'
import { defaultLaunchTimeoutMs } from '../launch/launch-wrapper.ts'
import { ownDesktop } from '../running/own-desktop.ts'
import { isAlive } from '../running/wrapper-record.ts'
import { openSessionChannel } from '../session/open-session-channel.ts'
import { ConnectedWrapper } from './connected-wrapper.ts'
import { Reconnection } from './reconnection.ts'
import type { WrapperClient } from './wrapper-client.ts'

/** Longest wait for one call, in milliseconds: longer than the 30 seconds that the wrapper waits for its web app. */
export const defaultTimeoutMs = 35_000

/** Options of {@link connectWrapper}. */
export interface ConnectWrapperOptions extends RecordOptions {
  /** Process id of the wrapper. Default: the one wrapper that is running. */
  readonly pid?: number | undefined
  /**
   * Longest wait in milliseconds, 1 to 2,147,483,647: for connecting, from the search to the first answer, and for
   * each call without a time-out. Default 35,000, and 60,000 for connecting if a wrapper may have to be started.
   */
  readonly timeoutMs?: number | undefined
  /** Gives up connecting, and ends a wrapper that is being started. Rejects with the signal's reason. Has no effect later. */
  readonly signal?: AbortSignal | undefined
  /**
   * `session` finds the wrapper by its record, and has it prove itself before anything is sent. `classic` connects to
   * `servicepipe.<pid>` of the given `pid`: for wrappers of other makers and older ones, which publish no record. Nothing
   * proves whose process that is; on Linux and macOS the socket must belong to this user. Default `session`.
   */
  readonly mode?: 'session' | 'classic' | undefined
  /**
   * Starts the installed wrapper if none is running, with these arguments or with none. The arguments are for this one
   * start: a running wrapper does not get them, nor does one that a later call starts again. Ignored if `pid` is given.
   * Default false.
   */
  readonly startIfNeeded?: boolean | { readonly args: readonly string[] } | undefined
  /**
   * Whether a call connects again if the connection has ended: to the process of `pid` if that is given, else to the one
   * wrapper that runs then on the same desktop as the first. Default true.
   */
  readonly reconnect?: boolean | undefined
  /**
   * Gets each field that the wrapper could not read and left out, before the call resolves. A wrapper in the classic mode
   * tells none. Default: nobody.
   */
  readonly onWarning?: OnWarning | undefined
  /**
   * Name of your program, sent with each person without a `source`. Classic servers of other makers refuse a person without one.
   * Default in the classic mode: the name of the running program; in the session mode none.
   */
  readonly source?: string | undefined
}

/**
 * Finds a running wrapper, or starts one, and connects a client to it. Checks that the wrapper answers and is new enough.
 *
 * @throws {PipeNotFoundError} if no wrapper is running, or none as this process
 * @throws {PipeAmbiguousError} if several wrappers are possible, and `pid` is not given
 * @throws {DesktopUnknownError} if Windows does not tell the desktop of this program, and `pid` is not given
 * @throws {PipeUnprovenError} if the process that answers did not prove to be the wrapper; nothing was sent to it then
 * @throws {PipeTooOldError} if the wrapper is older than 2.1.4.19787 (spec 8)
 * @throws {PipeNotInstalledError} if a wrapper must be started and none is installed
 * @throws {PipeStartError} if the wrapper could not be started
 * @throws {ParameterError} if an option is of another kind
 * @throws whatever {@link WrapperClient} lists
 * @example
 * ```ts
 * import { connectWrapper } from '@service-link/pipe-client'
 *
 * const wrapper = await connectWrapper()
 * await wrapper.selectPerson({ customId: '4711', firstname: 'Kari', lastname: 'Nordmann' })
 * await wrapper.disconnect()
 * ```
 */
export async function connectWrapper(options: ConnectWrapperOptions = {}): Promise<WrapperClient> {
  assertOptions(options, {
    ...limits,
    brand: 'object?',
    pid: { what: 'a process id', isWhole: true },
    userFolder: 'text?',
    mode: ['session', 'classic', undefined],
    startIfNeeded: 'any?',
    reconnect: 'boolean?',
    onWarning: 'function?',
    source: 'text?',
  })
  const { reconnect = true, signal, startIfNeeded, timeoutMs = defaultTimeoutMs } = options
  if (typeof startIfNeeded !== 'boolean')
    assertParameter('options.startIfNeeded', startIfNeeded, 'closed?', { args: 'list' })
  if (options.mode === 'classic' && (options.pid === undefined || startIfNeeded))
    throw new ParameterError('options.mode', 'classic with the pid of a wrapper that runs')

  const first = await connectChannel(options, signal, launchArgsOf(options) ?? [])
  // The launch of the first start is not repeated: it may put a person in focus, perhaps hours later.
  const connectAgain = async (given: AbortSignal, mayStart: boolean) => {
    const again = mayStart ? options : { ...options, startIfNeeded: false }
    return (await connectChannel(again, given, [], first.desktop)).channel
  }
  return new ConnectedWrapper(
    new Reconnection(first.channel, reconnect ? connectAgain : undefined),
    timeoutMs,
    sourceOf(options),
  )
}

/** The `source` of each person without one. */
export function sourceOf({ source, mode }: ConnectWrapperOptions): string | undefined {
  return source?.trim() || (mode === 'classic' ? programName() : undefined)
}

/** Of Node's own arguments the script has the name. Of a packed program they are the user's, and the executable has it. */
function programName(): string {
  const { name } = parse(process.execPath)
  const script = /^(node(js)?|bun|deno)[\d.-]*$/i.test(name) ? process.argv[1] : undefined
  return script ? parse(script).name : name
}

/**
 * Connects a channel, the first part of {@link connectWrapper}. Also returns the desktop of the wrapper, which the classic
 * mode does not tell.
 *
 * @param keptDesktop desktop of the wrapper. Default: the one of this process
 */
export async function connectChannel(
  options: ConnectWrapperOptions,
  signal: AbortSignal | undefined,
  args: readonly string[],
  keptDesktop?: string,
): Promise<{ readonly channel: Channel; readonly desktop: string | undefined }> {
  const { brand = defaultBrand, pid, userFolder, mode, onWarning, reconnect = true } = options
  const { timeoutMs = defaultTimeoutMs } = options
  const launchArgs = launchArgsOf(options) && args
  const connectMs = launchArgs && options.timeoutMs === undefined ? defaultLaunchTimeoutMs : timeoutMs
  const deadline = new Deadline(connectMs, signal)
  if (mode === 'classic' && pid !== undefined) {
    const { openClassicChannel } = await import('../classic/classic-channel.ts')
    return { channel: await openClassicChannel(brand, pid, deadline), desktop: undefined }
  }
  const choice = { brand, userFolder, pid, launchArgs, keptDesktop }
  const open = async (record: WrapperRecord) => ({
    channel: await openSessionChannel(record, { timeoutMs, reconnect, onWarning }, deadline),
    desktop: record.desktop,
  })
  try {
    return await openOrStart(choice, open, deadline)
  } catch (error) {
    throw pid === undefined ? asNotChosen(error) : error
  }
}

/** Makes the error of a wrapper that was found, or started: its process id does not come from the caller. */
function asNotChosen(error: unknown): unknown {
  if (!(error instanceof PipeNotFoundError) || error.pid === undefined) return error
  const { pid, message } = error
  const ended = `The wrapper that ran as process ${pid} has ended. Start it and try again.`
  return new PipeNotFoundError(undefined, [], isAlive(pid) ? message : ended)
}

function launchArgsOf({ startIfNeeded }: ConnectWrapperOptions): readonly string[] | undefined {
  if (typeof startIfNeeded === 'object') return startIfNeeded.args
  return startIfNeeded ? [] : undefined
}

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
 * Finds the wrapper to connect to, and opens it. Starts it if none runs and the caller wishes. The arguments of the launch go
 * once, to the wrapper that this starts, or to one that another program starts at the same time. Starts none for another desktop.
 */
async function openOrStart<Opened>(
  { launchArgs, ...choice }: StartChoice,
  open: (record: WrapperRecord) => Promise<Opened>,
  deadline: Deadline,
): Promise<Opened> {
  const { pid, keptDesktop, brand = defaultBrand, userFolder } = choice
  const { signal } = deadline
  const isOwnDesktop = keptDesktop === undefined || keptDesktop === ownDesktop()
  if (pid !== undefined) return open(await awaitRecord(choice, deadline.atMost(absenceMs)))
  if (!launchArgs || !isOwnDesktop) return open(await chooseRecord(choice, deadline))
  const running = await unlessNone(chooseRecord(choice, deadline))
  try {
    if (running) return await open(running)
  } catch (error) {
    // One that has crashed since is as if none had been found, unless another process answers in its place.
    if (!running || isAlive(running.pid) || error instanceof PipeUnprovenError) throw error
  }
  const environment = userFolder === undefined ? {} : { SERVICE_WRAPPER_DATA: resolve(userFolder) }
  const { launchWrapper } = await import('../launch/launch-wrapper.ts')
  const launched = await launchWrapper(launchArgs, {
    brand,
    environment: { ...process.env, ...environment },
    timeoutMs: Math.ceil(deadline.leftMs) || 1,
    signal,
  })
  return open(await awaitRecord({ ...choice, pid: launched.pid }, deadline))
}

/** Waits for the record of a wrapper that may have just started. */
async function awaitRecord(choice: WrapperChoice, deadline: Deadline): Promise<WrapperRecord> {
  const { pid } = choice
  for (; ; await pause(pauseMs, deadline.signal)) {
    const found = await unlessNone(chooseRecord(choice, deadline))
    if (found) return found
    if (pid === undefined ? deadline.isOver : !isAlive(pid)) throw new PipeNotFoundError(pid)
    if (deadline.isOver)
      throw new PipeNotFoundError(
        pid,
        [],
        `Process ${pid} runs, and publishes no record of a wrapper. A wrapper before 3.0.0.0, or of another maker, needs the mode classic.`,
      )
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
