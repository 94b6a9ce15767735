// The first module of a program: older versions of Node can load it.

import { tellOfNode } from './supported-node.ts'
import type { Terminal } from './terminal.ts'

const exitRefused = 2

/** What carries out one call of a program. Never exits the process. */
export type RunProgram = (argv: readonly string[], terminal: Terminal) => Promise<number>

/**
 * Runs a program with the arguments of this process, and sets its exit code. An older Node could not load the modules of the
 * program: then it says which Node it needs.
 *
 * @param engines as in the package's manifest
 * @param unwrittenExitCode exit code of the process when data cannot be written
 */
export async function startProgram(
  name: string,
  engines: string,
  unwrittenExitCode: number,
  load: () => Promise<RunProgram>,
): Promise<void> {
  const problem = tellOfNode(name, engines, process.versions.node)
  if (problem !== undefined) {
    process.stderr.write(`${problem} (ERR_NODE_VERSION)\n`)
    process.exitCode = exitRefused
    return
  }
  const [{ processTerminal }, run] = await Promise.all([import('./process-terminal.ts'), load()])
  const exitCode = await run(process.argv.slice(2), processTerminal(unwrittenExitCode))
  // A failed write has set its own code.
  process.exitCode ||= exitCode
}
