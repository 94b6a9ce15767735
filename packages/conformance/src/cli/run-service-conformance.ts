import { isServiceLinkError } from '@service-link/protocol-core/errors'
import {
  InterruptedError,
  paint,
  plainLine,
  printJson,
  type Terminal,
  tellFailure,
} from '@service-link/terminal'
import { runConformance, scenariosOf } from '../run-conformance.ts'
import type { ConformanceReport } from '../run-role.ts'
import type { ScenarioResult } from '../scenario.ts'
import { makeReportFolder, readKnownFailures, writeReportFiles } from './files.ts'
import { readSubcommand } from './subcommands.ts'

const name = 'service-conformance'

/**
 * Carries out one call of `service-conformance`. Never exits the process.
 *
 * @returns exit code
 */
export async function runServiceConformance(
  argv: readonly string[],
  terminal: Terminal,
): Promise<0 | 1 | 2 | 130> {
  try {
    const line = readSubcommand(argv)
    if ('text' in line) {
      await terminal.print(line.text)
      return 0
    }
    if (line.options.list) {
      for (const { id, spec, sentence } of scenariosOf[line.role])
        await terminal.print(`${id} (${spec}): ${sentence}\n`)
      return 0
    }
    const { only, knownFailures, timeout, report: folder, json } = line.options
    if (folder !== undefined) await makeReportFolder(folder)
    const report = await runConformance(await line.target(terminal), {
      only,
      knownFailures: knownFailures === undefined ? {} : await readKnownFailures(knownFailures, terminal),
      timeoutMs: timeout === undefined ? undefined : timeout * 1000,
      signal: terminal.interruption(),
      onResult: result => tellResult(result, terminal),
    })
    if (folder !== undefined) await writeReportFiles(report, folder)
    if (json) await printJson(report, terminal)
    tellCounts(report, terminal)
    return report.isAsExpected ? 0 : 1
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    tellFailure(terminal, name, {
      sentence: plainLine(error.message),
      code: error.code,
      advice: error instanceof InterruptedError ? undefined : `See ${name} --help`,
      docsUrl: error.docsUrl,
    })
    return error instanceof InterruptedError ? 130 : 2
  }
}

function tellResult({ id, outcome, faults }: ScenarioResult, terminal: Terminal): void {
  const isGood = outcome !== 'failed' && outcome !== 'unexpected-pass'
  terminal.tell(`${paint(terminal, isGood ? 'green' : 'red', outcome.padEnd(15))} ${id}\n`)
  if (outcome === 'failed') for (const fault of faults) terminal.tell(`  ${plainLine(fault)}\n`)
}

function tellCounts({ scenarios, isAsExpected }: ConformanceReport, terminal: Terminal): void {
  const passed = scenarios.filter(({ outcome }) => outcome === 'passed').length
  terminal.tell(`${passed} of ${scenarios.length} passed${isAsExpected ? ', as expected' : ''}.\n`)
}
