import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { requestClassic } from '../classic/request-classic.ts'
import { connectWrapper, defaultTimeoutMs } from '../client/connect-wrapper.ts'
import { findWrappers } from '../find/find-wrappers.ts'
import { helpText } from './help-text.ts'
import { type CommandLine, readCommandLine } from './read-command-line.ts'

/** What `service-pipe` prints and exits with. */
export interface ServicePipeOutcome {
  readonly exitCode: 0 | 2 | 3 | 4
  /** For programs: one JSON value, or the help that was asked for. */
  readonly stdout: string
  /** For people: why it failed. */
  readonly stderr: string
}

/** Context of {@link runServicePipe}. */
export interface ServicePipeOptions {
  /** Indents the JSON, for a person who reads it. */
  readonly isForPerson: boolean
}

/**
 * Carries out one call of `service-pipe`. Never exits the process.
 *
 * @param argv arguments after the script's own name
 */
export async function runServicePipe(
  argv: readonly string[],
  { isForPerson }: ServicePipeOptions,
): Promise<ServicePipeOutcome> {
  try {
    const line = readCommandLine(argv)
    if (line.action === 'help') return { exitCode: 0, stdout: helpText(), stderr: '' }
    const value = line.action === 'list' ? await findWrappers(line) : await runCommand(line)
    return {
      exitCode: 0,
      stdout: `${JSON.stringify(value ?? null, null, isForPerson ? 2 : 0)}\n`,
      stderr: '',
    }
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    const hint = error.code === 'ERR_USAGE' ? ' See service-pipe --help.' : ''
    return {
      exitCode: exitCodeOf(error.code),
      stdout: '',
      stderr: `service-pipe: ${error.message}${hint} [${error.code}]\n`,
    }
  }
}

async function runCommand(line: Extract<CommandLine, { action: 'command' }>): Promise<unknown> {
  const { brand, name, args, pid, timeoutMs = defaultTimeoutMs } = line
  const startedAt = performance.now()
  const { wrapper } = await connectWrapper({ brand, timeoutMs, ...(pid === undefined ? {} : { pid }) })
  const spentMs = performance.now() - startedAt
  return requestClassic(wrapper, name, args, { timeoutMs, spentMs, signal: undefined })
}

function exitCodeOf(code: string): 2 | 3 | 4 {
  if (code === 'ERR_USAGE' || code === 'ERR_PIPE_AMBIGUOUS') return 2
  return code === 'ERR_PIPE_NOT_FOUND' ? 3 : 4
}
