import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

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

const runTimeoutMs = 60_000

export interface RunProgramResult {
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
}

export function startProgram(
  program: keyof typeof programs,
  args: readonly string[],
  options: RunProgramOptions,
  timeout?: number,
) {
  return spawn(process.execPath, ['-C', '@service-link/source', programs[program], ...args], {
    env: options.environment,
    cwd: options.workingDirectory,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(timeout !== undefined && { timeout, killSignal: 'SIGKILL' }),
  })
}

/** Runs one of the executables to its end; throws after a minute. */
export async function runProgram(
  program: keyof typeof programs,
  args: readonly string[],
  options: RunProgramOptions,
): Promise<RunProgramResult> {
  const child = startProgram(program, args, options, runTimeoutMs)
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  if (child.signalCode !== null) throw new Error(`${program} ${args.join(' ')} did not end in time.`)
  return { exitCode: child.exitCode, output, errors }
}

export async function endProgram(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const force = setTimeout(() => child.kill('SIGKILL'), 5000)
  await exited
  clearTimeout(force)
}
