import { styleText } from 'node:util'
import type { FindingStatus } from '../doctor/doctor-check.ts'
import { formatFindings } from '../doctor/format-findings.ts'
import { runDoctor } from '../doctor/run-doctor.ts'
import { endWith } from './end-with.ts'

const doctorHelp = `service-webwrapper doctor [--json]

Says what the wrapper finds on this machine and what is wrong, with what to do about it. Changes nothing, and does not
disturb a wrapper that runs. Takes at most about ten seconds.

  --json   the findings as a JSON array of {check, status, sentence, remedy}

Exit codes: 0 nothing is wrong (there may be warnings), 1 there is a problem, 2 the arguments are none of these.
The findings name folders, and so perhaps the user: look through them before you pass them on.
`

const colours = { ok: 'green', warning: 'yellow', problem: 'red', skipped: 'gray' } as const

/**
 * Carries out `service-webwrapper doctor`: findings on standard output, in colour on a terminal only. Ends the process then.
 *
 * @param argv arguments after `doctor`
 * @returns the exit code, where it has looked at nothing
 */
export async function doctorCommand(argv: readonly string[]): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    process.stdout.write(doctorHelp)
    return 0
  }
  if (argv.some(argument => argument !== '--json')) {
    process.stderr.write(doctorHelp)
    return 2
  }
  const findings = await runDoctor()
  const paint = (status: FindingStatus, text: string) =>
    styleText(colours[status], text, { stream: process.stdout })
  return endWith(
    argv.includes('--json') ? `${JSON.stringify(findings, null, 2)}\n` : formatFindings(findings, paint),
    findings.some(({ status }) => status === 'problem') ? 1 : 0,
  )
}
