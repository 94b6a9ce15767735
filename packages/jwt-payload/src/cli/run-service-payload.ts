import { isServiceLinkError } from '@service-link/protocol-core'
import pc from 'picocolors'
import type { CommandLine } from './command-line.ts'
import { runExplain } from './commands/explain-command.ts'
import { runKeygen } from './commands/keygen-command.ts'
import { runPost } from './commands/post-command.ts'
import { runSign } from './commands/sign-command.ts'
import { runVerify } from './commands/verify-command.ts'
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.ts'
import { adviceFor } from './output/advice.ts'
import { plainLine } from './output/plain-text.ts'
import { readCommandLine } from './read-command-line.ts'
import type { Terminal } from './terminal.ts'

const commandNames = ['keygen', 'sign', 'verify', 'explain', 'post']

/**
 * Carries out one call of `service-payload`. Never exits the process.
 *
 * @param argv arguments after the script's own name
 * @returns what to exit with
 */
export async function runServicePayload(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    return (await run(readCommandLine(argv), terminal)) ?? exitCodes.done
  } catch (error) {
    const exitCode = exitCodeOf(error)
    if (exitCode === undefined || !isServiceLinkError(error)) throw error
    const { code, message } = error
    const colors = pc.createColors(terminal.hasColor)
    const hint = code === 'ERR_USAGE' ? ` See ${helpFor(argv[0])}.` : ''
    const advice = adviceFor(error)
    terminal.tell(
      `${colors.red('service-payload:')} ${plainLine(message)}${hint} ${colors.dim(`[${code}]`)}\n`,
    )
    if (advice !== undefined) terminal.tell(`→ ${plainLine(advice)}\n`)
    return exitCode
  }
}

function helpFor(command: string | undefined): string {
  const isKnown = command !== undefined && commandNames.includes(command)
  return isKnown ? `service-payload ${command} --help` : 'service-payload --help'
}

/** Undefined for a command that did what it was asked for. */
async function run(line: CommandLine, terminal: Terminal): Promise<ExitCode | undefined> {
  switch (line.action) {
    case 'help':
      terminal.print(line.text)
      return undefined
    case 'explain':
      return runExplain(line, terminal)
    case 'keygen':
      await runKeygen(line, terminal)
      return undefined
    case 'sign':
      await runSign(line, terminal)
      return undefined
    case 'verify':
      await runVerify(line, terminal)
      return undefined
    case 'post':
      await runPost(line, terminal)
      return undefined
  }
}
