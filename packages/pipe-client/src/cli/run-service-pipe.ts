import { isServiceLinkError } from '@service-link/protocol-core/errors'
import type { CommandLine } from './command-line/command-line.ts'
import { readCommandLine } from './command-line/read-command-line.ts'
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.ts'
import { plainJson } from './output/plain-text.ts'
import { withProgress } from './output/with-progress.ts'
import type { Terminal } from './terminal.ts'

/**
 * Carries out one call of `service-pipe`. Never exits the process. What a command does not need is not loaded.
 *
 * @param argv arguments after the script's own name
 * @returns what to exit with
 */
export async function runServicePipe(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  let command: string | undefined
  try {
    const line = await readCommandLine(argv, terminal)
    command = nameOf(line)
    await run(line, terminal)
    return exitCodes.done
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    const { executableOn } = await import('./output/failed-call.ts')
    const { tellFailure } = await import('./output/tell-failure.ts')
    const call = { command, executable: executableOn(process.platform) }
    await tellFailure(error, call, terminal, argv.includes('--json'))
    return exitCodeOf(error.code)
  }
}

function nameOf(line: CommandLine): string {
  return line.action === 'command' ? line.name : line.action
}

async function run(line: CommandLine, terminal: Terminal): Promise<void> {
  switch (line.action) {
    case 'help':
      return terminal.print(line.text)
    case 'completion': {
      const { completionScript } = await import('./completion/completion-script.ts')
      return terminal.print(completionScript(line.shell))
    }
    case 'watch': {
      const { watchEvents } = await import('./commands/watch-events.ts')
      return watchEvents(line, terminal)
    }
    default: {
      const value = await ask(line, terminal)
      return terminal.print(`${plainJson(value, terminal.isDataWatched)}\n`)
    }
  }
}

type Question = Extract<CommandLine, { action: 'list' | 'status' | 'command' }>

async function ask(line: Question, terminal: Terminal): Promise<unknown> {
  if (line.action === 'list') {
    const { listWrappers } = await import('./commands/list-wrappers.ts')
    return withProgress(
      terminal,
      async () => 'Looking for wrappers',
      () => listWrappers(line.brand, line.isPrefixAlone),
    )
  }
  let pid = line.target.pid
  const onConnected = (connected: number) => {
    pid = connected
  }
  const describe = async (signal: AbortSignal) => {
    const { describeWait } = await import('./commands/describe-wait.ts')
    return describeWait(line.target, pid, signal)
  }
  if (line.action === 'status') {
    const { showStatus } = await import('./commands/show-status.ts')
    return withProgress(terminal, describe, () => showStatus(line.target, onConnected))
  }
  const { runCommand } = await import('./commands/run-command.ts')
  return withProgress(terminal, describe, () => runCommand(line, onConnected))
}
