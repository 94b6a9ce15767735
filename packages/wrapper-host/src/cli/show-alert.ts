import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { windowPlatform } from '@service-link/window-engine'
import { ownCommand, processFacts } from '../start/note-installation.ts'

/** Longest wait for the start of the message box's program, in milliseconds. */
const beginningMs = 5000

interface Alert {
  readonly title: string
  readonly text: string
}

/**
 * Shows a message box, which outlives this process. Resolves once its program runs. A missing box is no error: standard error and the
 * log have the same text.
 */
export async function showAlert(alert: Alert): Promise<void> {
  const { env } = process
  const platform = windowPlatform()
  if (platform.displayProblem(env) !== undefined) return
  const facts = processFacts()
  const call = platform.alertCall(alert, env, facts && ownCommand(facts))
  if (!call) return
  let child: ChildProcess | undefined
  try {
    child = spawn(call.file, call.args, {
      stdio: 'ignore',
      env: { ...env, ...call.environment },
      // On Windows too: other processes that Node starts end with it.
      detached: true,
      windowsHide: true,
    })
    await once(child, 'spawn', { signal: AbortSignal.timeout(beginningMs) })
  } catch {
    // The program is not installed, or the system has no free process.
  } finally {
    child?.unref()
  }
}

/** Shows the box for which another process started this one. Returns the exit code. */
export function showAlertHere(): number {
  windowPlatform().showAlert?.(process.env)
  return 0
}
