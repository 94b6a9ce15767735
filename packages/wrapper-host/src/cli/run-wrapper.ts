import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { readOpenLaunchArguments } from '@service-link/cli-args'
import { ClosingError, isServiceLinkError, type Launch } from '@service-link/protocol-core'
import type { Environment, WindowPlatform } from '@service-link/window-engine'
import { windowPlatform } from '@service-link/window-engine'
import { isHeadless } from '../doctor/machine-checks.ts'
import { ownCommand, processFacts } from '../install/note-installation.ts'
import { kindOf } from '../log/failure-reason.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import type { RunningWrapper } from '../start/become-wrapper.ts'
import { createWrapper, type Wrapper, type WrapperStart } from '../start/create-wrapper.ts'
import { CrashError, noteFailedStart } from '../start/failed-start.ts'
import type { HandOffOutcome } from '../start/hand-off.ts'
import type { ProgramIdentity } from './program-identity.ts'

/** How it ended: another process was quicker and has the launch, or this one was the wrapper. */
export type WrapperEnd =
  | { readonly role: 'handed-off'; readonly outcome: HandOffOutcome }
  /** `hasFailed`: it did its work, and ended because something failed that it could not go on from. */
  | { readonly role: 'wrapper'; readonly hasFailed: boolean }

/** Longest wait in milliseconds for a wrapper that has crashed to close, and for a process to end that was the wrapper. */
const lastWaitMs = 10_000

/**
 * Becomes the wrapper and stays it until it is closed, by its window, the pipe or a signal, or until something throws that
 * nobody catches: what state it is in is not known then, so it closes in order, which its log tells.
 *
 * @throws {ServiceLinkError} as {@link Wrapper.start} does; `ERR_CLOSING` when a signal came before its window was open
 */
export async function runWrapper(
  launch: Launch,
  { brand, version }: ProgramIdentity,
  folders: WrapperFolders,
  onNotice: (sentence: string) => void,
): Promise<WrapperEnd> {
  // Clients in the field find the process by the executable's name.
  process.title = brand.application
  // Of a terminal that is gone: there is nobody to tell.
  process.stderr.on('error', () => undefined)
  // From here on integrators' providers are loaded, which word their warnings: they may name a person.
  process.removeAllListeners('warning').on('warning', warning => {
    if (warning.name !== 'ExperimentalWarning') onNotice(`A part of the wrapper warns (${kindOf(warning)}).`)
  })
  const ending = new AbortController()
  let hasFailed = false
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => ending.abort(new ClosingError()))
  process.on('uncaughtException', error => {
    if (hasFailed) return
    hasFailed = true
    const crash = new CrashError(error)
    onNotice(crash.message)
    exitWithin(lastWaitMs, 1)
    ending.abort(crash)
  })
  const facts = processFacts()
  leaveFolder()
  const installed = facts ? { installedAs: ownCommand(facts) } : {}
  const wrapper = createWrapper({ brand, version, folders, onNotice, ...installed })
  const start = await startUnlessClosed(wrapper, launch, ending.signal).catch(error => {
    if (hasFailed) return undefined
    throw error
  })
  if (start?.role === 'handed-off') return start
  if (start && !(await staysOpen(start.wrapper, ending.signal, onNotice))) hasFailed = true
  // What an integrator's provider has left running does not keep the process.
  exitWithin(lastWaitMs, hasFailed ? 1 : 0)
  return { role: 'wrapper', hasFailed }
}

/** Windows would let nobody remove the folder of the first launch while the wrapper runs. Paths of the launch begin there all the same. */
function leaveFolder(): void {
  try {
    process.chdir(dirname(process.execPath))
  } catch {
    // As a folder that may not be entered: then it stays.
  }
}

/** Nothing when the pipe told it to close before its window was open: that is an end like any other. */
async function startUnlessClosed(
  wrapper: Wrapper,
  launch: Launch,
  signal: AbortSignal,
): Promise<WrapperStart | undefined> {
  try {
    return await wrapper.start(launch, { signal })
  } catch (error) {
    if (error instanceof ClosingError && !signal.aborted) return undefined
    throw error
  }
}

/** @returns whether it ended as it was told to; else it has given up, and why has been told */
async function staysOpen(
  wrapper: RunningWrapper,
  ending: AbortSignal,
  onNotice: (sentence: string) => void,
): Promise<boolean> {
  const close = () => {
    const { reason } = ending
    void wrapper.close(reason instanceof CrashError ? reason : undefined).catch(() => undefined)
  }
  ending.addEventListener('abort', close, { once: true })
  if (ending.aborted) close()
  onNotice(`The wrapper runs. Its pipe: ${wrapper.pipeAddress}`)
  try {
    await wrapper.closed
    return true
  } catch (error) {
    onNotice(
      isServiceLinkError(error)
        ? `${error.message} (${error.code})`
        : `Not all has ended (${kindOf(error)}).`,
    )
    return false
  }
}

function exitWithin(ms: number, exitCode: number): void {
  setTimeout(() => process.exit(exitCode), ms).unref()
}

/** Longest wait for the program that shows the box to begin, in milliseconds. */
const beginningMs = 5000

/** A start that has failed. */
export interface FailedStart {
  readonly error: unknown
  /** What went wrong and what to do, with the code. */
  readonly sentence: string
  readonly argv: readonly string[]
}

/**
 * Reports a failed start in the log and in a message box of the desktop. There is no box without a screen, or when a program waits
 * for the exit code with `wait=true`. The box stays open after this process has ended.
 *
 * @returns a further sentence for standard error when the log cannot be written
 */
export async function tellFailedStart(
  { error, sentence, argv }: FailedStart,
  { brand, version }: ProgramIdentity,
  folders: WrapperFolders,
): Promise<string | undefined> {
  const note = await noteFailedStart(error, { brand, folders, version })
  if (!note) return undefined
  const { engine, logFile, problem } = note
  const unwritten = problem === undefined ? undefined : `The log ${logFile} cannot be written (${problem}).`
  const place = unwritten ?? (logFile === undefined ? undefined : `The log: ${logFile}`)
  const text = place === undefined ? sentence : `${sentence}\n\n${place}`
  const alert = { title: `${brand.displayName} did not start`, text }
  if (!isWaiting(argv) && !isHeadless({ BrowserEngine: engine }))
    await showAlert(alert, windowPlatform(), process.env)
  return unwritten
}

/** Whether a program waits for the exit code, as far as the arguments can be read. */
function isWaiting(argv: readonly string[]): boolean {
  try {
    return readOpenLaunchArguments(argv).wait
  } catch {
    return argv.some(argument => /^wait=true$/i.test(argument))
  }
}

/** Settles once the box's program runs. A box that cannot be shown is no error: standard error and the log say the same. */
async function showAlert(
  alert: { readonly title: string; readonly text: string },
  platform: WindowPlatform,
  environment: Environment,
): Promise<void> {
  if (platform.displayProblem(environment) !== undefined) return
  const call = platform.alertCall(alert, environment)
  if (!call) return
  const isWindows = process.platform === 'win32'
  let child: ChildProcess | undefined
  try {
    child = spawn(call.file, call.args, {
      stdio: 'ignore',
      env: { ...environment, ...call.environment },
      // On Windows the program is one that starts another and ends, and no console program can be detached from its console.
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: true,
    })
    await once(child, isWindows ? 'exit' : 'spawn', { signal: AbortSignal.timeout(beginningMs) })
  } catch {
    // Not installed after all, or out of processes.
  } finally {
    child?.unref()
  }
}
