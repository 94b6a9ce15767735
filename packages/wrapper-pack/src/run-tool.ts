import { spawn } from 'node:child_process'

/** Largest part of a tool's output that is kept, in characters: its end. */
const maxOutput = 8_000

/** How a tool ended. */
export interface ToolEnd {
  /** Nothing when a signal ended it, as when it took too long, or when it could not be started. */
  readonly exitCode: number | null
  /** Code of the operating system, when it could not be started. */
  readonly startProblem?: string
  /** The end of its standard output. */
  readonly stdout: string
  /** The end of both its streams, as they came. */
  readonly output: string
}

/** Options of {@link runTool}. */
export interface RunToolOptions {
  /** Longest run in milliseconds; then it is killed. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly environment?: NodeJS.ProcessEnv
  readonly workingDirectory?: string
}

/**
 * Runs a program to its end, without a shell and without standard input.
 *
 * @throws the signal's reason when it was aborted
 */
export async function runTool(
  program: string,
  args: readonly string[],
  options: RunToolOptions,
): Promise<ToolEnd> {
  const { timeoutMs, signal, environment = process.env, workingDirectory } = options
  signal?.throwIfAborted()
  const limit = AbortSignal.timeout(timeoutMs)
  const stop = signal ? AbortSignal.any([signal, limit]) : limit
  const child = spawn(program, args, {
    cwd: workingDirectory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    signal: stop,
    killSignal: 'SIGKILL',
  })
  let stdout = ''
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-maxOutput)
      if (stream === child.stdout) stdout = (stdout + text).slice(-maxOutput)
    })
  // What it has started may live on, and hold the other ends.
  stop.addEventListener('abort', () => {
    child.stdout.destroy()
    child.stderr.destroy()
  })
  let startProblem: string | undefined
  child.on('error', error => {
    if (!stop.aborted) startProblem = 'code' in error ? String(error.code) : 'unknown reason'
  })
  const exitCode = await new Promise<number | null>(resolve => child.once('close', resolve))
  signal?.throwIfAborted()
  return {
    exitCode: startProblem === undefined ? exitCode : null,
    ...(startProblem === undefined ? {} : { startProblem }),
    stdout,
    output,
  }
}
