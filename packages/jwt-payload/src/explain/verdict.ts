import type { ExplainedCheck } from './explained-check.ts'

/** How a check is shown. Passed with a change to make is a warning. */
export type CheckState = ExplainedCheck['outcome'] | 'warned'

export const checkMarks: Readonly<Record<CheckState, string>> = {
  passed: '✓',
  warned: '!',
  failed: '✗',
  'not-checked': '-',
}

export function stateOf({ outcome, change }: ExplainedCheck): CheckState {
  return outcome === 'passed' && change !== undefined ? 'warned' : outcome
}

/** Without a valid signature, findings about claims may mislead. */
export function isDoubtful({ check, outcome, isTrusted }: ExplainedCheck): boolean {
  return (
    !isTrusted &&
    outcome !== 'not-checked' &&
    ['json', 'active', 'issuer', 'times', 'audience', 'claims'].includes(check)
  )
}

/** What the service does with the token, in a sentence. */
export function verdictOf(checks: readonly ExplainedCheck[]): string {
  const failed = checks.filter(({ outcome }) => outcome === 'failed')
  const [first] = failed
  const more =
    failed.length > 1 ? ` Then there ${failed.length === 2 ? 'is' : 'are'} ${failed.length - 1} more.` : ''
  return first
    ? `The service refuses this token with ${first.code}, at the check ${first.check}.${more}`
    : 'Nothing is wrong with this token as far as can be checked here. Only the service can check the lines that begin with -.'
}
