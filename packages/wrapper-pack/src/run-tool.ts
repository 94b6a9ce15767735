import { spawn } from 'node:child_process'

/** Kept end of a tool's output, in characters. */
const maxOutput = 8_000

/** The end of a tool. */
interface ToolEnd {
  /** `null` when it could not be started, took too long, or was ended by a signal. */
  readonly exitCode: number | null
  /** The operating system's code when it could not be started. */
  readonly startProblem?: string
  /** The end of its standard output. */
  readonly stdout: string
  /** The end of standard output and standard error, mixed as they came. */
  readonly output: string
}

interface RunToolOptions {
  /** Longest run in milliseconds, before it is killed. */
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
  // Processes that it started may live on and hold the streams open.
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
