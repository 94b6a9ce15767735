import { PackError } from '../../pack-error.ts'
import { runTool } from '../../run-tool.ts'

/** Longest run of one program, in milliseconds: an executable of 100 MB takes some seconds. */
const timeoutMs = 600_000

/**
 * Runs one program of a builder. What it has to say is about something that an installer would lack: a warning is an error.
 *
 * @returns false when there is no such program
 * @throws {PackError} when it fails, or warns
 */
export async function runBuilder(
  program: string,
  args: readonly string[],
  workingDirectory: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const { exitCode, startProblem, output } = await runTool(program, args, {
    timeoutMs,
    signal,
    workingDirectory,
  })
  if (startProblem === 'ENOENT') return false
  const said = output.trim()
  if (exitCode === 0 && said === '') return true
  const how = startProblem ? `could not be started (${startProblem})` : `ended with ${exitCode ?? 'no code'}`
  throw new PackError(
    'installer',
    `The installer was not made: ${program} ${how}${said ? ` and said:\n${said}` : '.'}`,
  )
}
