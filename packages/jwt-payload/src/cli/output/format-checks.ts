import pc from 'picocolors'
import type { ExplainedCheck } from '../../explain/explained-check.ts'
import type { Terminal } from '../terminal.ts'
import { wrapText } from './wrap-text.ts'

/** Width of the column of names. */
const nameWidth = 11

/** Writes what each check makes of a token, for people. */
export function formatChecks(
  checks: readonly ExplainedCheck[],
  { columns, hasColor }: Pick<Terminal, 'columns' | 'hasColor'>,
): string {
  const colors = pc.createColors(hasColor)
  const paints = {
    passed: colors.green,
    warned: colors.yellow,
    failed: colors.red,
    'not-checked': colors.dim,
  }
  const indent = ' '.repeat(nameWidth + 2)
  const paragraphs = checks.map(check => {
    const paint = paints[stateOf(check)]
    const says = wrapText(`${check.says}${isDoubtful(check) ? ' (not trusted)' : ''}`, columns, indent)
    const change = check.change === undefined ? '' : wrapText(check.change, columns, `${indent}  `)
    return `${paint(`${marks[stateOf(check)]} ${check.check.padEnd(nameWidth)}`)}${says}${change && `\n${indent}${colors.bold(`→ ${change}`)}`}`
  })
  return `${paragraphs.join('\n')}\n\n${summaryOf(checks, columns)}\n`
}

const marks = { passed: '✓', warned: '!', failed: '✗', 'not-checked': '-' } as const

function stateOf({ outcome, change }: ExplainedCheck): keyof typeof marks {
  return outcome === 'passed' && change !== undefined ? 'warned' : outcome
}

/** What is said of claims after the signature failed misleads. */
function isDoubtful({ check, outcome, isTrusted }: ExplainedCheck): boolean {
  return (
    !isTrusted &&
    outcome !== 'not-checked' &&
    ['json', 'active', 'issuer', 'times', 'audience', 'claims'].includes(check)
  )
}

function summaryOf(checks: readonly ExplainedCheck[], columns: number): string {
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  const [first] = failed
  if (!first)
    return wrapText(
      'Nothing is wrong with this token as far as it can be seen from here. What begins with - only the service knows.',
      columns,
      '',
    )
  const more =
    failed.length > 1 ? ` Then there ${failed.length === 2 ? 'is' : 'are'} ${failed.length - 1} more.` : ''
  return wrapText(
    `The service refuses this token with ${first.code}, at the check ${first.check}.${more}`,
    columns,
    '',
  )
}
