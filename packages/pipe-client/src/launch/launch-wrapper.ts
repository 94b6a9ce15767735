import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { compareVersions, formatVersion, minimumPipeVersion, parseVersion } from '@service-link/protocol-core'
import {
  type Brand,
  defaultBrand,
  pipeAddress,
  unixPipeFolder,
  wrapperUserFolder,
} from '@service-link/protocol-core/brand'
import { assertParameter } from '@service-link/protocol-core/errors'
import { awaitWithin } from '../connection/await-within.ts'
import { assertOptions } from '../connection/call-bounds.ts'
import { isServed } from '../connection/is-served.ts'
import { boundTimeout } from '../connection/timeout.ts'
import { wait } from '../connection/wait.ts'
import { PipeStartError, PipeTooOldError } from '../errors/pipe-error.ts'
import type { InstalledWrapper } from '../locate/installed-wrapper.ts'
import { locateWrapper } from '../locate/locate-wrapper.ts'
import { currentPlatform } from '../platform/current-platform.ts'
import { listWrapperRecords } from '../running/wrapper-record.ts'
import { checkArguments } from './check-arguments.ts'
import { readRefusal } from './read-refusal.ts'
import { type ProcessEnd, type StartedProcess, startProcess } from './started-process.ts'

/** Longest wait for a wrapper that was started, in milliseconds: a cold disk and a scanner for viruses take their time. */
export const defaultLaunchTimeoutMs = 60_000

/** Options of {@link launchWrapper}. */
export interface LaunchWrapperOptions {
  /** Names of the wrapper. Default: the specification's. */
  readonly brand?: Brand
  /**
   * Environment of the wrapper, and where it is looked for. It gets all of it but what is meant for this process alone:
   * `ELECTRON_RUN_AS_NODE`, `NODE_OPTIONS`, `NODE_V8_COVERAGE` and `NODE_INSPECT_RESUME_ON_START`. Default: `process.env`.
   */
  readonly environment?: NodeJS.ProcessEnv
  /**
   * Longest wait in milliseconds, `Infinity` for as long as it takes; more than the default for a launch with `wait=true`, which the
   * wrapper answers within 5 minutes. Default 60,000.
   */
  readonly timeoutMs?: number
  /** Gives the launch up; it then rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** How a launch ended well. */
export type LaunchOutcome =
  /** The started process is the wrapper, and takes connections; its window may still be opening. It runs on when this process ends. */
  | { readonly role: 'started'; readonly pid: number }
  /** A wrapper that was running has taken the launch; its pipe may be there a moment later when it has just been started itself. */
  | { readonly role: 'handed-over'; readonly pid?: never }

/** How long the pipe of the started process may take to open, and how often it is looked for, in milliseconds. */
const openTimeoutMs = 2_000
const pauseMs = 25

/**
 * Starts the installed wrapper, or hands a launch to the one that runs (specification 4.2, 4.3): finds its executable, and starts it with
 * these arguments as a list, never through a shell, so that each arrives as it is. Who gives it up ends the process that was started
 * and what that has started, which may take a few seconds; the launch is then not carried out, unless the wrapper had taken it already (`wait=true`); one that serves its pipe by then is
 * the wrapper, and is left alone.
 *
 * @param args as `buildArguments` of cli-args writes them; none only makes sure that the wrapper runs
 * @throws {PipeNotInstalledError} when there is no wrapper to start, see {@link locateWrapper}
 * @throws {PipeDeniedError} when another user can have written what would be started, or has what is at the address of the started
 *   wrapper's pipe: that wrapper runs without one
 * @throws {PipeTooOldError} when it is known to be older than 2.1.4.19787, the first with a pipe
 * @throws {PipeStartError} when it cannot be started, refuses the launch (`exitCode` 2, with its own sentence), ends in another way,
 *   or is not ready in time
 * @throws {PipeTimeoutError} when the search for it takes longer than the time-out; nothing was started
 * @throws {ParameterError} when `args` is no list of texts, or an option is of another kind
 * @throws {RangeError} when the time-out is negative or not a number
 * @throws the signal's reason when it is aborted
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
  assertOptions(options, { environment: 'object?' })
  const { brand = defaultBrand, environment = process.env, signal } = options
  const timeoutMs = boundTimeout(options.timeoutMs ?? defaultLaunchTimeoutMs)
  signal?.throwIfAborted()
  const deadline = performance.now() + timeoutMs
  checkArguments(args)
  const installed = await awaitWithin(
    locateWrapper({ brand, environment }),
    { timeoutMs, spentMs: 0, signal },
    'The search for the installed wrapper did not end',
  )
  assertHasPipe(installed)
  signal?.throwIfAborted()
  const started = await startProcess(installed.command, args, environmentFor(environment))
  const address = pipeAddress(brand, started.pid, process.platform, unixPipeFolder(environment))
  const userFolder = resolve(wrapperUserFolder(brand, process.platform, environment, homedir))
  const isReady = async (given = signal) =>
    listWrapperRecords(userFolder).some(({ pid }) => pid === started.pid) || isOwnPipe(address, given)
  try {
    const end = await endOrReady(started, isReady, deadline, signal)
    if (end === 'ready') return { role: 'started', pid: started.pid }
    if (end === 'time-out') {
      // A wrapper whose pipe another user has taken runs without one, and is left to its user.
      currentPlatform.identifyOwn(address)
      const what = (await started.end()) ? 'It was ended.' : 'It was told to end, and may still run.'
      throw new PipeStartError(`The wrapper was started, and was not ready within ${timeoutMs} ms. ${what}`)
    }
    if (end.exitCode === 0) return { role: 'handed-over' }
    throw refusal(end)
  } catch (error) {
    if (signal?.aborted && !(await isReady(new AbortController().signal))) await started.end()
    throw error
  } finally {
    started.release()
  }
}

/**
 * What would make another program of the wrapper, have it wait for a debugger, or load what is this program's business. On Windows
 * names have no case.
 */
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

function assertHasPipe({ version }: InstalledWrapper): void {
  if (version === undefined) return
  if (compareVersions(parseVersion(version), minimumPipeVersion) < 0)
    throw new PipeTooOldError(version, formatVersion(minimumPipeVersion))
}

async function endOrReady(
  started: StartedProcess,
  isReady: (signal?: AbortSignal) => Promise<boolean>,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<ProcessEnd | 'ready' | 'time-out'> {
  for (;;) {
    if (await isReady()) return 'ready'
    if (performance.now() >= deadline) return 'time-out'
    const end = await Promise.race([started.ended, wait(pauseMs, signal)])
    if (end) return end
  }
}

/** An older wrapper publishes no record. What another user has put at the address is not its pipe. */
async function isOwnPipe(address: string, signal?: AbortSignal): Promise<boolean> {
  try {
    if (currentPlatform.identifyOwn(address) === undefined) return false
  } catch {
    return false
  }
  return isServed(address, { timeoutMs: openTimeoutMs, signal })
}

function refusal({ exitCode, errors }: ProcessEnd): PipeStartError {
  if (exitCode === null) return new PipeStartError('The wrapper was ended by a signal before it was ready.')
  const sentence = readRefusal(errors) ?? `The wrapper ended with exit code ${exitCode}, and told no reason.`
  return new PipeStartError(sentence, exitCode)
}
