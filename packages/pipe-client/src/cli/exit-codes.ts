/** What `service-pipe` exits with. Stable: scripts look at it. */
export const exitCodes = {
  done: 0,
  /** The command line cannot be used as it is. Nothing was sent. */
  usage: 2,
  /** No wrapper is running, or none could be started. */
  noWrapper: 3,
  /** The wrapper refused, did not answer, or its pipe could not be used. */
  refused: 4,
} as const

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const usageCodes = ['ERR_USAGE', 'ERR_PIPE_AMBIGUOUS', 'ERR_FRAME']
const noWrapperCodes = ['ERR_PIPE_NOT_FOUND', 'ERR_PIPE_NOT_INSTALLED', 'ERR_PIPE_START']

/** The exit code for an error's code. */
export function exitCodeOf(code: string): ExitCode {
  if (usageCodes.includes(code)) return exitCodes.usage
  return noWrapperCodes.includes(code) ? exitCodes.noWrapper : exitCodes.refused
}
