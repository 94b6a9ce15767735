import type { ConformanceReport } from '../run-role.ts'
import type { Outcome, ScenarioResult } from '../scenario.ts'

const leftOut: readonly Outcome[] = ['known-failure', 'skipped', 'not-applicable']

/** Writes a report in the form that build servers read. A known failure counts as skipped, too. */
export function writeJunit({ role, begunAt, scenarios }: ConformanceReport): string {
  const failed = scenarios.filter(
    ({ outcome }) => outcome === 'failed' || outcome === 'unexpected-pass',
  ).length
  const skipped = scenarios.filter(({ outcome }) => leftOut.includes(outcome)).length
  const seconds = inSeconds(scenarios.reduce((sum, { durationMs }) => sum + durationMs, 0))
  const counts = `tests="${scenarios.length}" failures="${failed}" skipped="${skipped}"`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="service-conformance ${role}" timestamp="${begunAt}" time="${seconds}" ${counts}>`,
    ...scenarios.map(scenario => writeCase(role, scenario)),
    '</testsuite>\n',
  ].join('\n')
}

function writeCase(
  role: string,
  { id, sentence, outcome, faults, knownBecause, skippedBecause, durationMs }: ScenarioResult,
): string {
  const begin = `<testcase classname="${role}" name="${escapeXml(`${id}: ${sentence}`)}" time="${inSeconds(durationMs)}"`
  if (outcome === 'passed') return `${begin}/>`
  const told = escapeXml(faults.join('\n'))
  const inner = leftOut.includes(outcome)
    ? `<skipped message="${escapeXml(skippedBecause ?? knownBecause ?? '')}"/>`
    : `<failure message="${escapeXml(faults[0] ?? passesNow)}">${told}</failure>`
  return `${begin}>${inner}</testcase>`
}

/** The fault of an unexpected pass. */
export const passesNow = 'It passes: take it out of the file of known failures.'

const inSeconds = (durationMs: number) => (durationMs / 1000).toFixed(3)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
}

/** XML has no control characters, not even as references. */
function escapeXml(text: string): string {
  return text
    .replace(/[^\n\P{C}]/gu, '\u{FFFD}')
    .replace(/[&<>"\n]/g, character => entities[character] ?? character)
}
