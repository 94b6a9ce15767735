// All calls of the client that the program makes.
import { plainJson, type Terminal, withProgress } from '@service-link/command-line'
import { type CommandName, isClassicCommandName } from '@service-link/protocol-core'
import type { Brand } from '@service-link/protocol-core/brand'
import { Deadline } from '@service-link/protocol-core/time'
import {
  type ConnectWrapperOptions,
  connectChannel,
  connectWrapper,
  defaultTimeoutMs,
} from '../client/connect-wrapper.ts'
import type { EventsOptions, FocusedPerson, WrapperClient, WrapperEvent } from '../client/wrapper-client.ts'
import { findWrappers } from '../find/find-wrappers.ts'
import type { CommandLine, Target } from './command-line.ts'

/** Options of {@link connectWrapper} for a command line. Without a time the client chooses: a start has more. */
export function connectOptionsOf({
  brand,
  pid,
  timeoutMs,
  startIfNeeded,
  isClassic,
}: Target): ConnectWrapperOptions {
  return {
    brand,
    startIfNeeded,
    mode: isClassic ? 'classic' : 'session',
    // One call is one connection. If it breaks, the program says so.
    reconnect: false,
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(pid === undefined ? {} : { pid }),
  }
}

/**
 * The limit of a command on a new connection. If no time was given, a command after a start has all of the usual one.
 *
 * @param begun the limit since connecting began
 */
export function deadlineAfter({ timeoutMs, startIfNeeded }: Target, begun: Deadline): Deadline {
  return timeoutMs === undefined && startIfNeeded ? new Deadline(defaultTimeoutMs) : begun
}

function connectTo(
  target: Target,
  options: Pick<ConnectWrapperOptions, 'mode' | 'signal'> = {},
): Promise<WrapperClient> {
  return connectWrapper({ ...connectOptionsOf(target), ...options })
}

/** Lists the wrappers that run and have proven themselves, each with its version and login session. */
export async function listWrappers(brand: Brand): Promise<unknown> {
  const found = await findWrappers({ brand })
  return found.map(({ pid, version, session, address }) => ({ pid, version, session, address }))
}

/** Tells which wrapper runs, whether its web app is loaded, whether somebody is signed in, and who is in focus. */
export async function showStatus(target: Target, onConnected: (pid: number) => void): Promise<unknown> {
  const begun = new Deadline(target.timeoutMs ?? defaultTimeoutMs)
  await using client = await connectTo(target)
  const { pid } = client.wrapper
  onConnected(pid)
  const options = { timeoutMs: deadlineAfter(target, begun).leftMs }
  const [{ isLoaded, isSignedIn, person }, version] = await Promise.all([
    client.status(options),
    client.version(options),
  ])
  return {
    pid,
    version,
    loaded: isLoaded,
    signedin: isSignedIn,
    person: person ? personAsSent(person) : null,
  }
}

/**
 * Has the wrapper carry out one command of the table. Arguments of classic commands go as they were typed.
 *
 * @returns the wrapper's answer; `undefined` where it has none
 */
export async function runCommand(
  target: Target,
  name: CommandName,
  args: Readonly<Record<string, unknown>>,
  onConnected: (pid: number) => void,
): Promise<unknown> {
  const begun = new Deadline(target.timeoutMs ?? defaultTimeoutMs)
  if (!isClassicCommandName(name)) {
    await using client = await connectTo(target)
    onConnected(client.wrapper.pid)
    const text = String(args.text ?? '')
    const options = { timeoutMs: deadlineAfter(target, begun).leftMs }
    return await (name === 'queryexercises'
      ? client.queryExercises(text, options)
      : client.queryWorkouts(text, options))
  }
  const { channel } = await connectChannel(connectOptionsOf(target), undefined, [])
  try {
    onConnected(channel.wrapper.pid)
    return await channel.request(name, args, deadlineAfter(target, begun))
  } finally {
    await channel.close()
  }
}

/**
 * Prints one JSON line for each event, until the wrapper exits, `count` lines are printed, Ctrl+C is pressed, or nobody
 * reads any more.
 *
 * @throws {PipeClosedError} when the connection breaks: events may be missed then
 * @throws whatever `connectWrapper` and its client's `events` throw
 */
export async function watchEvents(
  { target, events, count = Number.POSITIVE_INFINITY }: Extract<CommandLine, { action: 'watch' }>,
  terminal: Terminal,
): Promise<void> {
  const signal = AbortSignal.any([terminal.interruption(), terminal.unread])
  try {
    await using client = await withProgress(
      terminal,
      ended => describeWait(target, undefined, ended),
      () => connectTo(target, { signal }),
    )
    const options: EventsOptions = { signal, ...(events ? { events } : {}) }
    const iterator = client.events(options)[Symbol.asyncIterator]()
    let next = iterator.next()
    // The loop below handles a rejection. The status is answered after the subscription.
    next.catch(() => {})
    await Promise.race([client.status({ signal }), next])
    terminal.tell(`Watching process ${client.wrapper.pid}. Ctrl+C ends it.\n`)
    for (let left = count; ; left--) {
      const { done, value } = await next
      if (done) break
      await terminal.print(`${plainJson(eventAsSent(value), false)}\n`)
      if (left <= 1) break
      next = iterator.next()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** An event under the names of the wire. */
function eventAsSent(event: WrapperEvent): { readonly event: string; readonly data: unknown } {
  const { type } = event
  if (type === 'personselected') return { event: type, data: personAsSent(event.person) }
  return { event: type, data: type === 'workoutopened' ? { id: event.id } : null }
}

function personAsSent({ userId, customId, firstname, lastname }: FocusedPerson) {
  return { userid: userId, customid: customId, firstname, lastname }
}

/**
 * Finds out what a call is waiting for, on a connection of its own.
 *
 * @param pid the wrapper that was found; `undefined` while it is being looked for, or started
 * @returns a clause without a full stop
 */
export async function describeWait(
  target: Target,
  pid: number | undefined,
  signal: AbortSignal,
): Promise<string> {
  if (pid === undefined) return target.startIfNeeded ? 'Starting the wrapper' : 'Looking for the wrapper'
  if (target.isClassic) return 'Waiting for the wrapper'
  try {
    await using client = await connectTo({ ...target, pid, startIfNeeded: false }, { signal })
    const { isLoaded, isSignedIn } = await client.status({ signal })
    if (!isLoaded) return 'Waiting for the web app to load'
    return isSignedIn ? 'Waiting for the web app' : 'Waiting for somebody to sign in'
  } catch {
    // The call itself reports what is wrong.
    return 'Waiting for the wrapper'
  }
}
