import { PackError } from '../../pack-error.ts'
import { runTool } from '../../run-tool.ts'

/** Longest run of one program, in milliseconds: an executable of 100 MB takes some seconds. */
const timeoutMs = 600_000

/** How a program of a builder is run. */
export interface RunBuilderOptions {
  /** Absolute. */
  readonly workingDirectory: string
  readonly signal: AbortSignal | undefined
  /** Whether its exit code tells of warnings, too; it may then write what it does. */
  readonly failsAtWarnings?: boolean
}

/**
 * Runs one program of a builder. A warning is about something that an installer would lack, and is an error.
 *
 * @returns false when there is no such program
 * @throws {PackError} when it fails, or warns
 */
export async function runBuilder(
  program: string,
  args: readonly string[],
  { workingDirectory, signal, failsAtWarnings = false }: RunBuilderOptions,
): Promise<boolean> {
  const { exitCode, startProblem, output } = await runTool(program, args, {
    timeoutMs,
    signal,
    workingDirectory,
  })
  if (startProblem === 'ENOENT') return false
  const said = output.trim()
  if (exitCode === 0 && (failsAtWarnings || said === '')) return true
  const end = exitCode === null ? 'crashed, or took longer than ten minutes' : `ended with ${exitCode}`
  const how = startProblem ? `could not be started (${startProblem})` : end
  throw new PackError(
    'installer',
    `The installer was not made: ${program} ${how}${said ? ` and said:\n${said}` : '.'}`,
  )
}
