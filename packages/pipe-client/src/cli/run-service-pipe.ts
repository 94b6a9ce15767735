import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { plainLine, printJson, type Terminal, tellFailure, withProgress } from '@service-link/terminal'
import type { WrapperWarning } from '../connection/channel.ts'
import { PipeRefusedError } from '../errors/pipe-error.ts'
import { findWrappers } from '../find/find-wrappers.ts'
import { runCommand, showStatus, watchEvents } from './call-wrapper.ts'
import { adviseOn, type ExitCode, exitCodeOf } from './explain-failure.ts'
import { readArgs } from './read-args.ts'
import { namedSubcommand, readSubcommand, type Subcommand } from './subcommands.ts'

/**
 * Carries out one call of `service-pipe`. Never exits the process.
 *
 * @returns exit code
 */
export async function runServicePipe(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await run(readSubcommand(argv), terminal)
    return 0
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    const { code } = error
    const executable = process.platform === 'win32' ? defaultBrand.executable : 'service-webwrapper'
    const advice = adviseOn(error, { command: namedSubcommand(argv), executable })
    const sentence = plainLine(error.message)
    tellFailure(terminal, 'service-pipe', { sentence, code, advice })
    if (argv.includes('--json')) {
      const commandcode = error instanceof PipeRefusedError ? error.commandCode : undefined
      await printJson({ error: sentence, code, commandcode, advice }, terminal)
    }
    return exitCodeOf(code)
  }
}

async function run(line: Subcommand, terminal: Terminal): Promise<void> {
  if (line.action === 'help') return terminal.print(line.text)
  if (line.action === 'watch') return watchEvents(line, terminal)
  const args = line.action === 'command' ? await readArgs(line.name, line.words, terminal) : {}
  const warnings: WrapperWarning[] = []
  const answer = await withProgress(terminal, 'Waiting for the wrapper', async () => {
    if (line.action === 'list') return listWrappers(line.brand)
    return line.action === 'status'
      ? showStatus(line.target)
      : runCommand(line.target, line.name, args, warning => warnings.push(warning))
  })
  for (const { path, problem } of warnings)
    terminal.tell(`service-pipe: The wrapper warns: ${plainLine(`${path} ${problem}`)}.\n`)
  await printJson(answer, terminal)
}

async function listWrappers(brand: Brand): Promise<readonly object[]> {
  const found = await findWrappers({ brand })
  return found.map(({ pid, version, desktop: session, address }) => ({ pid, version, session, address }))
}
