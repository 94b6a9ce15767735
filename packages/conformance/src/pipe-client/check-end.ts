import type { Checks } from '../checks.ts'
import type { ProgramEnd } from '../programs/run-program.ts'
import { tellErrors } from '../programs/tell-errors.ts'

/** Exit codes by what happened. A program may refuse wrong arguments itself, and a broken answer may count as either. */
const exitCodes = {
  'no wrapper': [3],
  'no choice': [2, 3],
  'no answer': [3, 4],
  refused: [4],
  'wrong arguments': [2, 4],
} as const

/** @returns what the program printed, as JSON; nothing for null and for no output */
export function checkSuccess(checks: Checks, { exitCode, output, errors }: ProgramEnd): unknown {
  checks.that(exitCode === 0, `The exit code: ${exitCode}, not 0.${tellErrors({ errors })}`)
  if (output.trim() === '') return undefined
  return checks.message('Standard output', () => JSON.parse(output) ?? undefined)
}

/** Checks the end of a program that has nothing to print but a sentence. */
export function checkFailure(
  checks: Checks,
  { exitCode, output, errors }: ProgramEnd,
  happened: keyof typeof exitCodes,
): void {
  const allowed: readonly (number | null)[] = exitCodes[happened]
  const isAllowed = allowed.includes(exitCode)
  checks.that(
    isAllowed,
    `The exit code is ${exitCode}, not ${allowed.join(' or ')}.${tellErrors({ errors })}`,
  )
  checks.equal('Standard output', output, '')
  checks.that(errors.trim() !== '', 'Standard error has no sentence.')
}
