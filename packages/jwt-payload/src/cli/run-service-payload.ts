import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { plainLine, type Terminal, tellFailure } from '@service-link/terminal'
import { KeyImportError } from '../errors/key-errors.ts'
import { adviceOn } from './sign-and-post.ts'
import { readSubcommand } from './subcommands.ts'

/**
 * Exit codes of `service-payload`: 0 done, 2 arguments, a file or key that cannot be used, 3 nobody reached, or no browser opened, 4 refused,
 * 130 Ctrl+C. Stable: scripts read them.
 */
type ExitCode = 0 | 2 | 3 | 4 | 130

const usageCodes = ['ERR_USAGE', 'ERR_FILE', 'ERR_KEY_IMPORT', 'ERR_CERTIFICATE_VALIDITY', 'ERR_POST_OPTION']
const unreachableCodes = ['ERR_UNAVAILABLE', 'ERR_POST_UNREACHABLE', 'ERR_POST_TIMEOUT', 'ERR_BROWSER']

function exitCodeOf(code: string): ExitCode {
  if (usageCodes.includes(code)) return 2
  if (unreachableCodes.includes(code)) return 3
  return code === 'ERR_INTERRUPTED' ? 130 : 4
}

/** Carries out one call of `service-payload`. Never exits the process. */
export async function runServicePayload(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return (await readSubcommand(argv)(terminal)) ?? 0
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    const { code, docsUrl, message } = error
    // A command stands on a line of its own, to be copied.
    const command = error instanceof KeyImportError ? error.command : undefined
    const sentence = plainLine(command === undefined ? message : message.slice(0, -command.length).trimEnd())
    const advice = code === 'ERR_USAGE' ? `See ${helpFor(argv[0])}` : (command ?? adviceOn(error))
    tellFailure(terminal, 'service-payload', { sentence, code, advice, docsUrl })
    return exitCodeOf(code)
  }
}

function helpFor(subcommand = ''): string {
  const isKnown = ['keygen', 'sign', 'verify', 'explain', 'post', 'open', 'serve'].includes(subcommand)
  return isKnown ? `service-payload ${subcommand} --help` : 'service-payload --help'
}
