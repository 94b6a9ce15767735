import {
  type CommandName,
  commands,
  sessionEvents,
  sessionMethods,
  toWire,
} from '@service-link/protocol-core'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { Deadline } from '@service-link/protocol-core/time'
import {
  plainJson,
  plainLine,
  printJson,
  type Terminal,
  tellFailure,
  withProgress,
} from '@service-link/terminal'
import {
  type ConnectWrapperOptions,
  connectChannel,
  connectWrapper,
  defaultTimeoutMs,
  sourceOf,
} from '../client/connect-wrapper.ts'
import type {
  FocusedPerson,
  WrapperEvent,
  WrapperReconnected,
  WrapperStatus,
} from '../client/wrapper-client.ts'
import type { FoundWrapper, OnWarning, WrapperWarning } from '../connection/channel.ts'
import { PipeRefusedError } from '../errors/pipe-error.ts'
import { findWrappers } from '../find/find-wrappers.ts'
import { adviseOn, type ExitCode, exitCodeOf } from './explain-failure.ts'
import { readArgs } from './read-args.ts'
import { namedSubcommand, readSubcommand, type Subcommand, type WatchLine } from './subcommands.ts'
import type { Target } from './target-options.ts'

/**
 * Carries out one call of `service-pipe`. Never exits the process.
 *
 * @returns exit code
 */
export async function runServicePipe(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await run(readSubcommand(argv), terminal)
    return 0
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    const { code, docsUrl } = error
    const executable = process.platform === 'win32' ? defaultBrand.executable : 'service-webwrapper'
    const advice = adviseOn(error, { command: namedSubcommand(argv), executable })
    const sentence = plainLine(error.message)
    tellFailure(terminal, 'service-pipe', { sentence, code, advice, docsUrl })
    if (argv.includes('--json')) {
      const commandcode = error instanceof PipeRefusedError ? error.commandCode : undefined
      await printJson({ error: sentence, code, commandcode, advice, docs: docsUrl }, terminal)
    }
    return exitCodeOf(code)
  }
}

async function run(line: Subcommand, terminal: Terminal): Promise<void> {
  if (line.action === 'help') return terminal.print(line.text)
  if (line.action === 'watch') return watchEvents(line, terminal)
  const args =
    line.action === 'command' ? await readArgs(line.name, line.words, terminal, line.target.timeoutMs) : {}
  const warnings: WrapperWarning[] = []
  const answer = await withProgress(terminal, 'Waiting for the wrapper', async () => {
    if (line.action === 'list') return findWrappers({ brand: line.brand })
    return line.action === 'status'
      ? showStatus(line.target)
      : runCommand(line.target, line.name, args, warning => warnings.push(warning))
  })
  for (const { path, problem } of warnings)
    terminal.tell(`service-pipe: The wrapper warns: ${plainLine(`${path} ${problem}`)}.\n`)
  await printJson(answer, terminal)
}

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
    timeoutMs,
    pid,
  }
}

/** The limit of a command on a new connection. If no time was given, a command after a start has all of the usual one. */
export function deadlineAfter({ timeoutMs, startIfNeeded }: Target, begun: Deadline): Deadline {
  return timeoutMs === undefined && startIfNeeded ? new Deadline(defaultTimeoutMs) : begun
}

/** Tells which wrapper runs, whether its web app is loaded, whether somebody is signed in, and who is in focus. */
export async function showStatus(target: Target): Promise<unknown> {
  const begun = new Deadline(target.timeoutMs ?? defaultTimeoutMs)
  await using client = await connectWrapper(connectOptionsOf(target))
  const options = { timeoutMs: Math.max(1, deadlineAfter(target, begun).leftMs) }
  const [status, version] = await Promise.all([client.status(options), client.version(options)])
  return statusAsSent({ ...client.wrapper, version }, status)
}

function statusAsSent(
  { pid, version }: FoundWrapper,
  { isLoaded, isSignedIn, person, focusNumber }: WrapperStatus,
): object {
  const status = { loaded: isLoaded, signedin: isSignedIn, person: person ?? null, focusNumber }
  return { pid, version, ...Object(toWire(sessionMethods.status.reply, status)) }
}

/** Has the wrapper carry out one command of the table. Arguments go as they were typed; the result has the wire's names. */
export async function runCommand(
  target: Target,
  name: CommandName,
  args: Readonly<Record<string, unknown>>,
  onWarning: OnWarning,
): Promise<unknown> {
  const begun = new Deadline(target.timeoutMs ?? defaultTimeoutMs)
  const options = { ...connectOptionsOf(target), onWarning }
  const { channel } = await connectChannel(options, undefined, [])
  const sent = name === 'selectperson' ? { source: sourceOf(options), ...args } : args
  try {
    return toWire(commands[name].reply, await channel.request(name, sent, deadlineAfter(target, begun)))
  } finally {
    await channel.close()
  }
}

/**
 * Prints one JSON line for each event, until the wrapper exits, `count` lines are printed, Ctrl+C is pressed, or nobody
 * reads any more. With `reconnect` it goes on with the next wrapper.
 */
export async function watchEvents(
  { target, events, reconnect, count = Number.POSITIVE_INFINITY }: WatchLine,
  terminal: Terminal,
): Promise<void> {
  const signal = AbortSignal.any([terminal.interruption(), terminal.unread])
  try {
    await using client = await connectWrapper({ ...connectOptionsOf(target), reconnect, signal })
    const iterator = client.events({ signal, reconnect, events })[Symbol.asyncIterator]()
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
function eventAsSent(event: WrapperEvent | WrapperReconnected): {
  readonly event: string
  readonly data: unknown
} {
  if (event.type === 'reconnected')
    return { event: event.type, data: statusAsSent(event.wrapper, event.status) }
  const { type, ...facts } = event
  const { person, ...others }: typeof facts & { readonly person?: FocusedPerson } = facts
  const data = toWire(sessionEvents[type].data, { ...person, ...others })
  return { event: type, data: type === 'signedin' || type === 'closing' ? null : data }
}
