import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname } from 'node:path'
import { readLaunchWords } from '@service-link/cli-args'
import type { HandOffOutcome } from '@service-link/protocol-core'
import { ClosingError, isServiceLinkError, type Launch } from '@service-link/protocol-core'
import type { Environment, WindowPlatform } from '@service-link/window-engine'
import { windowPlatform } from '@service-link/window-engine'
import { isHeadless } from '../doctor/machine-checks.ts'
import { kindOf } from '../log/failure-reason.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import type { RunningWrapper } from '../start/become-wrapper.ts'
import { createWrapper } from '../start/create-wrapper.ts'
import { CrashError, noteFailedStart } from '../start/failed-start.ts'
import { ownCommand, processFacts } from '../start/note-installation.ts'
import type { ProgramIdentity } from './program-identity.ts'

/** How it ended: another process was quicker and has the launch, or this one was the wrapper. */
type WrapperEnd =
  | { readonly role: 'handed-off'; readonly outcome: HandOffOutcome }
  /** `hasFailed`: a failure ended the wrapper after its start. */
  | { readonly role: 'wrapper'; readonly hasFailed: boolean }

/** Longest wait in milliseconds for a crashed wrapper to close, and for the process to end after the wrapper. */
const lastWaitMs = 10_000

/**
 * Becomes the wrapper until its window, the pipe or a signal closes it. After an uncaught exception its state is unknown, so it
 * closes and logs that.
 */
export async function runWrapper(
  launch: Launch,
  { brand, version }: ProgramIdentity,
  folders: WrapperFolders,
  onNotice: (sentence: string) => void,
): Promise<WrapperEnd> {
  // Clients in the field find the process by the executable's name.
  process.title = brand.application
  windowPlatform().identifyProcess?.(brand.applicationId)
  // The terminal may be closed.
  process.stderr.on('error', () => undefined)
  // Integrators' providers load from here on. Their warnings may name a person.
  process.removeAllListeners('warning').on('warning', warning => {
    if (warning.name !== 'ExperimentalWarning') onNotice(`A part of the wrapper warns (${kindOf(warning)}).`)
  })
  const ending = new AbortController()
  let hasFailed = false
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => ending.abort(new ClosingError()))
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
  const { signal } = ending
  const start = await wrapper.start(launch, { signal }).catch(error => {
    // A regular end: the pipe closed the wrapper before its window was open.
    const isClosed = error instanceof ClosingError && !signal.aborted
    if (hasFailed || isClosed) return undefined
    throw error
  })
  if (start?.role === 'handed-off') return start
  if (start && !(await staysOpen(start.wrapper, signal, onNotice))) hasFailed = true
  // Ends work that an integrator's provider left running.
  exitWithin(lastWaitMs, hasFailed ? 1 : 0)
  return { role: 'wrapper', hasFailed }
}

/** Windows keeps a process's working directory from being removed. The launch has its own copy of the path. */
function leaveFolder(): void {
  try {
    process.chdir(dirname(process.execPath))
  } catch {
    // The folder may not be accessible. Then the directory stays.
  }
}

/** Returns whether the wrapper closed without a failure. Reports a failure by `onNotice`. */
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
  const { pipeAddress: pipe } = wrapper
  onNotice(`The wrapper runs. ${pipe === undefined ? 'It has no pipe.' : `Its pipe: ${pipe}`}`)
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

/** Longest wait for the start of the message box's program, in milliseconds. */
const beginningMs = 5000

interface FailedStart {
  readonly error: unknown
  /** The fault and its remedy, with the code. */
  readonly sentence: string
  readonly argv: readonly string[]
}

/**
 * Reports a failed start in the log and in a message box of the desktop. There is no box without a screen, or when a program waits
 * with `wait=true`. The box outlives this process. Returns a further sentence for standard error when the log cannot be written.
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

function isWaiting(argv: readonly string[]): boolean {
  try {
    return readLaunchWords(argv).wait
  } catch {
    return argv.some(argument => /^wait=true$/i.test(argument))
  }
}

/** Resolves once the box's program runs. A missing box is no error: standard error and the log have the same text. */
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
      // On Windows the program starts another one and ends. A console program there cannot be detached.
      detached: !isWindows,
      windowsHide: true,
      windowsVerbatimArguments: true,
    })
    await once(child, isWindows ? 'exit' : 'spawn', { signal: AbortSignal.timeout(beginningMs) })
  } catch {
    // The program is not installed, or the system has no free process.
  } finally {
    child?.unref()
  }
}
