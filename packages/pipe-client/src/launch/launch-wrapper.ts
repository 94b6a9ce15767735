import { existsSync } from 'node:fs'
import { type Brand, defaultBrand, pipeAddress, unixPipeFolder } from '@service-link/protocol-core/brand'
import { assertParameter } from '@service-link/protocol-core/errors'
import { Deadline, pause } from '@service-link/protocol-core/time'
import { assertNewEnough } from '../connection/channel.ts'
import { assertOptions, limits } from '../errors/assert-options.ts'
import { PipeStartError, PipeTimeoutError } from '../errors/pipe-error.ts'
import { grantForeground } from '../running/grant-foreground.ts'
import { listWrapperRecords } from '../running/list-records.ts'
import { ownUserFolder } from '../running/wrapper-record.ts'
import { locateWrapper } from './locate-wrapper.ts'
import { type ProcessEnd, type StartedProcess, startProcess } from './started-process.ts'

/** Longest wait for a started wrapper, in milliseconds. A cold disk and a virus scanner take their time. */
export const defaultLaunchTimeoutMs = 60_000

/** Options of {@link launchWrapper}. */
export interface LaunchWrapperOptions {
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand | undefined
  /**
   * Environment of the wrapper, and of the search for it. The wrapper does not get `ELECTRON_RUN_AS_NODE`, `NODE_OPTIONS`,
   * `NODE_V8_COVERAGE` and `NODE_INSPECT_RESUME_ON_START`, which are for this process. Default: `process.env`.
   */
  readonly environment?: NodeJS.ProcessEnv | undefined
  /**
   * Longest wait in milliseconds, 1 to 2,147,483,647. A launch with `wait=true` needs more than the default: the wrapper
   * answers within 5 minutes. Default 60,000.
   */
  readonly timeoutMs?: number | undefined
  /** Gives up the launch. It then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** Outcome of a successful launch. */
export type LaunchOutcome = {
  /** What the wrapper told of the launch, such as arguments that it ignored. Missing if it told nothing. */
  readonly notice?: string | undefined
} & (
  | {
      /** The started process is the wrapper. Its window may still be opening. It outlives this process. */
      readonly role: 'started'
      readonly pid: number
    }
  | {
      /** A running wrapper took the launch. If it has just been started, its pipe may open a moment later. */
      readonly role: 'handed-over'
      readonly pid?: never | undefined
    }
)

/** Pause between two looks for the record and the pipe of the started process, in milliseconds. */
const pauseMs = 25

/**
 * Starts the installed wrapper, or hands a launch to the running one (spec 4.2, 4.3). Starts the executable without
 * a shell, so that each argument arrives as it is. Giving up ends the started process and all that it has started, which may
 * take a few seconds. The launch is then not carried out, unless the wrapper had taken it already (`wait=true`). A process
 * that is ready by then runs on.
 *
 * @param args as `buildArguments` of cli-args writes them. None only starts the wrapper
 * @throws {PipeNotInstalledError} if there is no wrapper to start, see {@link locateWrapper}
 * @throws {PipeDeniedError} if another user can have written the program
 * @throws {PipeTooOldError} if the wrapper is known to be older than 2.1.4.19787, the first with a pipe
 * @throws {PipeStartError} if the wrapper cannot be started, refuses the launch (`exitCode` 2, with its sentence), ends in
 *   another way, or is not ready in time
 * @throws {PipeTimeoutError} if the search takes longer than the time-out; nothing was started
 * @throws {ParameterError} if `args` is no list of texts, or an option is of another kind
 * @throws the signal's reason if it aborts
 * @example
 * ```ts
 * import { launchWrapper } from '@service-link/pipe-client'
 *
 * const { role } = await launchWrapper(['provider=Service.Desktop.Arguments.Component, Service.Desktop', 'queryexercises=low back'])
 * console.log(role) // 'started' or 'handed-over'
 * ```
 */
export async function launchWrapper(
  args: readonly string[],
  options: LaunchWrapperOptions = {},
): Promise<LaunchOutcome> {
  assertParameter('args', args, 'list')
  assertOptions(options, { ...limits, brand: 'object?', environment: 'object?' })
  const { brand = defaultBrand, environment = process.env, signal } = options
  const deadline = new Deadline(options.timeoutMs ?? defaultLaunchTimeoutMs, signal)
  const { timeoutMs } = deadline
  signal?.throwIfAborted()
  checkArguments(args)
  const sentence = 'The search for the installed wrapper did not end'
  const searching = locateWrapper({ brand, environment })
  const installed = await deadline.waitFor(searching, () => new PipeTimeoutError(timeoutMs, false, sentence))
  if (installed.version !== undefined) assertNewEnough(installed.version)
  signal?.throwIfAborted()
  const started = await startProcess(installed.command, args, environmentFor(environment))
  grantForeground(started)
  const userFolder = ownUserFolder(brand, environment)
  // Older wrappers publish no record.
  const address = pipeAddress(brand, started.pid, process.platform, unixPipeFolder(environment))
  const isReady = () =>
    existsSync(address) || listWrapperRecords(userFolder).some(({ pid }) => pid === started.pid)
  try {
    const end = await endOrReady(started, isReady, deadline)
    if (end === 'ready')
      return { role: 'started', pid: started.pid, ...noticeIn(await started.errorsSoFar()) }
    if (end === 'time-out') {
      const what = (await started.end()) ? 'It was ended.' : 'It was told to end, and may still run.'
      throw new PipeStartError(`The wrapper was started, and was not ready within ${timeoutMs} ms. ${what}`)
    }
    if (end.exitCode === 0) return { role: 'handed-over', ...noticeIn(end.errors) }
    throw refusal(end)
  } catch (error) {
    if (signal?.aborted && !isReady()) await started.end()
    throw error
  } finally {
    started.release()
  }
}

/** Variables for this process: they would change the wrapper, or have it wait for a debugger. Windows ignores their case. */
const ownVariables = [
  'ELECTRON_RUN_AS_NODE',
  'NODE_OPTIONS',
  'NODE_V8_COVERAGE',
  'NODE_INSPECT_RESUME_ON_START',
]

function environmentFor(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const entries = Object.entries(environment)
  return Object.fromEntries(entries.filter(([name]) => !ownVariables.includes(name.toUpperCase())))
}

/**
 * Checks that each argument can arrive as it is. No operating system passes a NUL character on, and half a character would
 * arrive as another one: a person must not get another name. The error never holds the argument.
 */
function checkArguments(args: readonly string[]): void {
  for (const [index, argument] of args.entries()) {
    assertParameter(`args[${index}]`, argument, 'text')
    if (argument.includes('\0'))
      throw new PipeStartError(
        `Argument ${index + 1} has a NUL character, which no program can be given. Nothing was started.`,
      )
    if (!argument.isWellFormed())
      throw new PipeStartError(`Argument ${index + 1} has half a character (UTF-16). Nothing was started.`)
  }
}

async function endOrReady(
  started: StartedProcess,
  isReady: () => boolean,
  deadline: Deadline,
): Promise<ProcessEnd | 'ready' | 'time-out'> {
  for (;;) {
    if (isReady()) return 'ready'
    if (deadline.isOver) return 'time-out'
    const end = await Promise.race([started.ended, pause(pauseMs, deadline.signal)])
    if (end) return end
  }
}

function refusal({ exitCode, errors }: ProcessEnd): PipeStartError {
  if (exitCode === null) return new PipeStartError('The wrapper was ended by a signal before it was ready.')
  const sentence = readRefusal(errors) ?? `The wrapper ended with exit code ${exitCode}, and told no reason.`
  return new PipeStartError(sentence, exitCode)
}

const maxSentenceLength = 2_000

/**
 * Finds the sentence with which a wrapper ended, in its standard error: the last line that ends in a code in parentheses.
 * Other lines may hold anything, and are not repeated.
 */
export function readRefusal(text: string): string | undefined {
  return linesOf(text).findLast(line => /\S \(ERR_[A-Z_]{1,60}\)$/.test(line))
}

/** Finds the sentences of a launch that was taken. Traces and warnings of a runtime are not repeated. */
export function noticeIn(text: string): { readonly notice?: string } {
  const notice = linesOf(text)
    .filter(line => /[.?]$/.test(line) && !/^\w*(Error|Warning)\b/.test(line))
    .join(' ')
  return notice === '' ? {} : { notice }
}

function linesOf(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map(line => line.replaceAll(/\p{C}/gu, ' ').trim())
  return lines.filter(line => line.length <= maxSentenceLength)
}
