import { plainLine, printJson, type Terminal, tellFailure, withProgress } from '@service-link/command-line'
import { defaultBrand } from '@service-link/protocol-core/brand'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { PipeRefusedError } from '../errors/pipe-error.ts'
import { describeWait, listWrappers, runCommand, showStatus, watchEvents } from './call-wrapper.ts'
import { type CommandLine, namedCommand, readCommandLine } from './command-line.ts'
import { type ExitCode, exitCodeOf, explainFailure } from './explain-failure.ts'
import { readArgs } from './read-args.ts'

/**
 * Carries out one call of `service-pipe`. Never exits the process.
 *
 * @param argv arguments after the program's name
 * @returns exit code
 */
export async function runServicePipe(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await run(readCommandLine(argv), terminal)
    return 0
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    const { code } = error
    const executable = executableOn(process.platform)
    const { sentence, advice } = explainFailure(error, { command: namedCommand(argv), executable })
    tellFailure(terminal, 'service-pipe', { sentence: plainLine(sentence), code, advice })
    if (argv.includes('--json')) {
      const commandcode = error instanceof PipeRefusedError ? error.commandCode : undefined
      const failure = { error: sentence, code, commandcode, advice }
      await printJson(failure, terminal)
    }
    return exitCodeOf(code)
  }
}

/** What the wrapper's executable is called on a platform. */
export function executableOn(platform: NodeJS.Platform): string {
  return platform === 'win32' ? defaultBrand.executable : 'service-webwrapper'
}

async function run(line: CommandLine, terminal: Terminal): Promise<void> {
  switch (line.action) {
    case 'help':
      return terminal.print(line.text)
    case 'watch':
      return watchEvents(line, terminal)
    default:
      return printJson(await ask(line, terminal), terminal)
  }
}

type Question = Extract<CommandLine, { action: 'list' | 'status' | 'command' }>

async function ask(line: Question, terminal: Terminal): Promise<unknown> {
  if (line.action === 'list')
    return withProgress(terminal, 'Looking for wrappers', () => listWrappers(line.brand))
  const { target } = line
  const args = line.action === 'command' ? await readArgs(line.name, line.words, terminal) : {}
  let { pid } = target
  const onConnected = (connected: number) => {
    pid = connected
  }
  return withProgress(
    terminal,
    signal => describeWait(target, pid, signal),
    () =>
      line.action === 'status'
        ? showStatus(target, onConnected)
        : runCommand(target, line.name, args, onConnected),
  )
}
