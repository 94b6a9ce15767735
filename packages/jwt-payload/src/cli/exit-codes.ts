import { isServiceLinkError } from '@service-link/protocol-core'

/** What `service-payload` exits with. Stable: scripts look at it. */
export const exitCodes = {
  done: 0,
  /** The command line, or a file or key that it names, cannot be used. */
  usage: 2,
  /** The service or a key set cannot be reached. Worth a retry. */
  unreachable: 3,
  /** Refused: by the service, or by the checks that it makes. */
  refused: 4,
  /** Ctrl+C. */
  interrupted: 130,
} as const

/** One of {@link exitCodes}. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const usageCodes = ['ERR_USAGE', 'ERR_FILE', 'ERR_KEY_IMPORT', 'ERR_CERTIFICATE_VALIDITY', 'ERR_POST_OPTION']
const unreachableCodes = ['ERR_UNAVAILABLE', 'ERR_POST_UNREACHABLE', 'ERR_POST_TIMEOUT']

/** The exit code for a failure; `undefined` for one that is a defect of ours. */
export function exitCodeOf(error: unknown): ExitCode | undefined {
  if (!isServiceLinkError(error)) return undefined
  if (usageCodes.includes(error.code)) return exitCodes.usage
  if (unreachableCodes.includes(error.code)) return exitCodes.unreachable
  return error.code === 'ERR_INTERRUPTED' ? exitCodes.interrupted : exitCodes.refused
}
