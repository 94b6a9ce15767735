import { styleText } from 'node:util'
import type { FindingStatus } from '../doctor/doctor-check.ts'
import { formatFindings, runDoctor } from '../doctor/run-doctor.ts'
import { endWith } from './end-with.ts'
import type { ProgramIdentity } from './program-identity.ts'

const doctorHelp = (command: string) => `${command} doctor [--json]

Says what the wrapper finds on this machine and what is wrong, with what to do about it. Changes nothing, and does not
disturb a wrapper that runs. Takes at most about ten seconds.

  --json   the findings as a JSON array of {check, status, sentence, remedy}

Exit codes: 0 nothing is wrong (there may be warnings), 1 there is a problem, 2 the arguments are none of these.
The findings name folders, and so perhaps the user: look through them before you pass them on.
`

const colours = { ok: 'green', warning: 'yellow', problem: 'red', skipped: 'gray' } as const

/**
 * Carries out `doctor`: findings on standard output, in colour on a terminal only. Ends the process then.
 *
 * @param argv arguments after `doctor`
 * @param identity whose wrapper is looked at
 * @returns the exit code, where it has looked at nothing
 */
export async function doctorCommand(
  argv: readonly string[],
  { brand, version, command }: ProgramIdentity,
): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(doctorHelp(command))
    return 0
  }
  if (argv.some(argument => argument !== '--json')) {
    process.stderr.write(doctorHelp(command))
    return 2
  }
  const findings = await runDoctor({ brand, version })
  const paint = (status: FindingStatus, text: string) =>
    styleText(colours[status], text, { stream: process.stdout })
  return endWith(
    argv.includes('--json') ? `${JSON.stringify(findings, null, 2)}\n` : formatFindings(findings, paint),
    findings.some(({ status }) => status === 'problem') ? 1 : 0,
  )
}
