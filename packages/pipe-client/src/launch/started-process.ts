import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { PipeStartError } from '../errors/pipe-error.ts'
import type { LaunchPlatform } from './platform/launch-platform.ts'
import { posixLaunch } from './platform/posix.ts'
import { windowsLaunch } from './platform/windows.ts'

/** How a started process ended. */
export interface ProcessEnd {
  /** Nothing when a signal ended it. */
  readonly exitCode: number | null
  /** The end of what it wrote to standard error. */
  readonly errors: string
}

/** A process that may outlive this one. */
export interface StartedProcess {
  readonly pid: number
  /** Resolves when it has ended. */
  readonly ended: Promise<ProcessEnd>
  /**
   * Ends it, if it still runs, with what it has started; takes a few seconds at most.
   *
   * @returns whether it is known to have ended
   */
  end(): Promise<boolean>
  /** Leaves it to itself: nothing of this process hangs on it any more. */
  release(): void
}

/** How much of standard error is kept, in characters: a sentence, and some around it. */
const keptLength = 16_384

/** Longest wait in milliseconds for what an ended process wrote: a process that it has started may hold standard error open. */
const lastWordsMs = 500

/**
 * Starts a program, with its arguments as a list and without a shell, in a session of its own: neither the end of this process nor
 * that of its terminal ends it. Its standard error is read until it is released.
 *
 * @throws {PipeStartError} when the operating system does not start it
 */
export async function startProcess(
  [file = '', ...first]: readonly string[],
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<StartedProcess> {
  const child = trySpawn(file, [...first, ...args], environment)
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-keptLength)
  })
  child.stderr?.on('error', () => undefined)
  const ended = endOf(child, () => errors)
  try {
    await once(child, 'spawn')
  } catch (error) {
    throw startError(error)
  }
  // What fails now is a signal that cannot be sent, to a process that is then left to itself.
  child.on('error', () => undefined)
  return {
    pid: child.pid ?? 0,
    ended,
    end: () => endIfRunning(child, ended),
    release() {
      child.stderr?.destroy()
      child.unref()
    },
  }
}

async function endIfRunning(child: ChildProcess, ended: Promise<unknown>): Promise<boolean> {
  // The number of one that has ended may be another's by now.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return true
  const platform: LaunchPlatform = process.platform === 'win32' ? windowsLaunch : posixLaunch
  return platform.endTree(child.pid, ended)
}

function trySpawn(file: string, argv: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  try {
    // Not with windowsHide, which hides a program's window too.
    return spawn(file, argv, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    throw startError(error)
  }
}

async function endOf(child: ChildProcess, errors: () => string): Promise<ProcessEnd> {
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const exitCode = await new Promise<number | null>(resolve => child.once('exit', resolve))
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>(resolve => {
    // One that was released keeps nobody waiting.
    timer = setTimeout(resolve, lastWordsMs).unref()
  })
  await Promise.race([closed, waited])
  clearTimeout(timer)
  return { exitCode, errors: errors() }
}

/** Node's own error has the arguments, and is not passed on. */
function startError(error: unknown): PipeStartError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
  return new PipeStartError(
    code === 'E2BIG' || code === 'ENAMETOOLONG'
      ? `The arguments are longer than this operating system takes (${code}). Give them in a file. Nothing was started.`
      : `The wrapper’s executable could not be started (${code}).`,
  )
}
