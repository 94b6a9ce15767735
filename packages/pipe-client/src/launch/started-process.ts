import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { PipeStartError } from '../errors/pipe-error.ts'
import { currentPlatform } from '../platform/current-platform.ts'

/** The end of a started process. */
export interface ProcessEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null
  /** The last part of its standard error. */
  readonly errors: string
}

/** A process that may outlive this one. */
export interface StartedProcess {
  readonly pid: number
  /** Resolves when it has ended. */
  readonly ended: Promise<ProcessEnd>
  /** The last part of its standard error until now. */
  errorsSoFar(): Promise<string>
  /**
   * Ends it and all that it has started. Takes a few seconds at most.
   *
   * @returns whether it is known to have ended
   */
  end(): Promise<boolean>
  /** Lets it run on. It does not keep this process alive any more. */
  release(): void
}

/** Length of the part of standard error that is kept, in characters. */
const keptLength = 16_384

/** Longest wait for the rest of standard error, in milliseconds: a child process may hold it open. */
const lastWordsMs = 500

/**
 * Starts a program without a shell, in a session of its own: it outlives this process and its terminal. Reads its standard
 * error until it is released.
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
  return {
    pid: child.pid ?? 0,
    ended,
    async errorsSoFar() {
      // What it has written by now is read in the next turn.
      for (let turn = 0; turn < 2; turn++) await new Promise(resolve => setImmediate(resolve))
      return errors
    },
    end: () => endIfRunning(child, ended),
    release() {
      child.stderr?.destroy()
      child.unref()
    },
  }
}

async function endIfRunning(child: ChildProcess, ended: Promise<unknown>): Promise<boolean> {
  // Another process may have the id of an ended one.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return true
  return currentPlatform.endTree(child.pid, ended)
}

function trySpawn(file: string, argv: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  // An import would cost each program five milliseconds.
  const { spawn } = process.getBuiltinModule('node:child_process')
  try {
    // `windowsHide` would also hide the window of the wrapper.
    return spawn(file, argv, { env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    throw startError(error)
  }
}

async function endOf(child: ChildProcess, errors: () => string): Promise<ProcessEnd> {
  const closed = new Promise<void>(resolve => child.once('close', () => resolve()))
  const exitCode = await new Promise<number | null>(resolve => child.once('exit', resolve))
  // A released process does not keep this one alive.
  const waited = new Promise<void>(resolve => void setTimeout(resolve, lastWordsMs).unref())
  await Promise.race([closed, waited])
  return { exitCode, errors: errors() }
}

/** Node's error holds the arguments, so it is not the cause. */
function startError(error: unknown): PipeStartError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
  return new PipeStartError(
    code === 'E2BIG' || code === 'ENAMETOOLONG'
      ? `The arguments are longer than this operating system takes (${code}). Give them in a file. Nothing was started.`
      : `The wrapper’s executable could not be started (${code}).`,
  )
}
