import { execFile } from 'node:child_process'

/** Kept end of a tool's output, in characters. */
const maxOutput = 8_000

/** Most bytes of a tool's output. A table of an installer has a row for each file. */
const maxBytes = 64 * 1024 * 1024

interface ToolEnd {
  /** `null` when it could not be started, took too long, or was ended by a signal. */
  readonly exitCode: number | null
  /** The operating system's code when it could not be started. */
  readonly startProblem: string | undefined
  readonly stdout: string
  /** The end of standard output and standard error. */
  readonly output: string
}

interface RunToolOptions {
  /** Longest run in milliseconds, before it is killed. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly environment?: NodeJS.ProcessEnv
  readonly workingDirectory?: string
}

/** Runs a program to its end, without a shell and without standard input. */
export async function runTool(
  program: string,
  args: readonly string[],
  { timeoutMs, signal, environment: env = process.env, workingDirectory: cwd }: RunToolOptions,
): Promise<ToolEnd> {
  signal?.throwIfAborted()
  const limits = { timeout: timeoutMs, signal, killSignal: 'SIGKILL', maxBuffer: maxBytes } as const
  const end = await new Promise<ToolEnd>(resolve => {
    const child = execFile(
      program,
      args,
      { cwd, env, windowsHide: true, ...limits },
      (error, stdout, stderr) => {
        const code: unknown = error ? error.code : 0
        resolve({
          exitCode: typeof code === 'number' ? code : null,
          startProblem: typeof code === 'string' ? code : undefined,
          stdout,
          output: `${stdout}${stderr}`.slice(-maxOutput),
        })
      },
    )
    child.stdin?.end()
  })
  signal?.throwIfAborted()
  return end
}
