import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Deadline } from '@service-link/protocol-core/time'

/** The executables of the packages, as the demo starts them: from their sources. */
const programs = {
  wrapper: fileURLToPath(
    new URL('cli/service-webwrapper.ts', import.meta.resolve('@service-link/wrapper-host')),
  ),
  pipe: fileURLToPath(new URL('cli/service-pipe.ts', import.meta.resolve('@service-link/pipe-client'))),
} as const

interface RunProgramOptions {
  readonly environment: NodeJS.ProcessEnv
  readonly workingDirectory?: string
}

/** Longest run of a program that ends by itself, in milliseconds. */
const runTimeoutMs = 60_000

/** What a program left behind. */
export interface RunProgramResult {
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
}

/** Starts one of the executables as a process of its own; its messages are readable. */
export function startProgram(
  program: keyof typeof programs,
  args: readonly string[],
  options: RunProgramOptions,
) {
  return spawn(process.execPath, ['-C', '@service-link/source', programs[program], ...args], {
    env: options.environment,
    cwd: options.workingDirectory,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/**
 * Runs one of the executables to its end.
 *
 * @throws {Error} when it does not end within a minute; it is then killed
 */
export async function runProgram(
  program: keyof typeof programs,
  args: readonly string[],
  options: RunProgramOptions,
): Promise<RunProgramResult> {
  const child = startProgram(program, args, options)
  const finished = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  try {
    const [output, errors] = await within(`The end of ${program} ${args.join(' ')}`, runTimeoutMs, finished)
    return { exitCode: child.exitCode, output, errors }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

/** Ends a process that still runs, and waits for its end. */
export async function endProgram(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 5000)
  await exited
  clearTimeout(force)
}

/**
 * Waits for work, but not for ever.
 *
 * @param what begins the message of the failure
 * @throws {Error} when the time is over
 */
export function within<Value>(what: string, timeoutMs: number, work: Promise<Value>): Promise<Value> {
  return new Deadline(timeoutMs).waitFor(
    work,
    () => new Error(`${what} did not come about within ${timeoutMs} ms`),
  )
}
