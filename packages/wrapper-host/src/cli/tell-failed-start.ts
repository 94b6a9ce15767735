import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readOpenLaunchArguments } from '@service-link/cli-args'
import type { Environment, WindowPlatform } from '@service-link/window-engine'
import { windowPlatform } from '@service-link/window-engine'
import { isHeadless } from '../doctor/machine-checks.ts'
import type { WrapperFolders } from '../settings/wrapper-folders.ts'
import { noteFailedStart } from '../start/failed-start.ts'
import type { ProgramIdentity } from './program-identity.ts'

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
