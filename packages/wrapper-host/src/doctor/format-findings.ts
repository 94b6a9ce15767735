import type { FindingStatus } from './doctor-check.ts'
import type { CheckedFinding } from './run-checks.ts'

/** Makes a mark stand out where it is shown; the text itself stays. */
export type Emphasise = (status: FindingStatus, text: string) => string

const statusWidth = 'problem'.length

/** Writes findings as a table for people, with what to do in a line of its own, and a last line that sums them up. */
export function formatFindings(
  findings: readonly CheckedFinding[],
  emphasise: Emphasise = (_, text) => text,
): string {
  const nameWidth = Math.max(...findings.map(({ check }) => check.length))
  const indent = ' '.repeat(statusWidth + nameWidth + 4)
  const lines = findings.flatMap(({ check, status, sentence, remedy }) => [
    `${emphasise(status, status.padEnd(statusWidth))}  ${check.padEnd(nameWidth)}  ${sentence}`,
    ...(remedy === undefined ? [] : [`${indent}→ ${remedy}`]),
  ])
  return `${[...lines, '', summaryOf(findings)].join('\n')}\n`
}

function summaryOf(findings: readonly CheckedFinding[]): string {
  const count = (wanted: FindingStatus) => findings.filter(({ status }) => status === wanted).length
  const problems = count('problem')
  const warnings = count('warning')
  if (problems + warnings === 0) return 'Nothing is wrong.'
  return `Problems: ${problems}. Warnings: ${warnings}.`
}
