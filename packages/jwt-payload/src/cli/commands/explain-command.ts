import type { Command } from 'commander'
import { z } from 'zod'
import { Refusal } from '../../errors/refusals.ts'
import { explainPayload } from '../../explain/explain-payload.ts'
import { unwrapToken } from '../../explain/unwrap-token.ts'
import { readToken } from '../../verify/read-token.ts'
import type { CommandLine } from '../command-line.ts'
import { type ExitCode, exitCodes } from '../exit-codes.ts'
import { formatChecks } from '../output/format-checks.ts'
import { printJson } from '../output/print-json.ts'
import { withProgress } from '../output/with-progress.ts'
import { wrapText } from '../output/wrap-text.ts'
import type { Terminal } from '../terminal.ts'
import { addVerifyingOptions, readVerifyingInput, verifyingOptionsSchema } from './verifying-options.ts'

const explainRequestSchema = verifyingOptionsSchema.extend({
  action: z.literal('explain'),
  showClaims: z.boolean().default(false),
})

/** What `service-payload explain` is asked for. */
export type ExplainRequest = z.output<typeof explainRequestSchema>

/** Adds `explain` to the program. */
export function addExplainCommand(program: Command, choose: (request: CommandLine) => void): void {
  addVerifyingOptions(program.command('explain'))
    .description('Walks a token through every check of the service, and says what to change.')
    .option('--show-claims', 'prints the claims as JSON, with the values: data about people')
    .option('--json', 'prints the checks as JSON')
    .action((token, options) => choose(explainRequestSchema.parse({ action: 'explain', token, ...options })))
}

/** What is refused for its age now may have been refused for something else when it was new. */
const savedTokenHint =
  'It has expired by now. A token that you saved is looked at as of when it was signed with --at iat.'

/** Explains a token. Exits as `verify` would. */
export async function runExplain(request: ExplainRequest, terminal: Terminal): Promise<ExitCode> {
  const { token, terms, ...options } = await readVerifyingInput(request, terminal)
  const registered = terms && { registration: terms }
  const checks = await withProgress('Checking', terminal, () =>
    explainPayload(token, { ...options, ...registered }),
  )
  terminal.tell(formatChecks(checks, terminal))
  if (request.at === undefined && checks.some(({ code }) => code === 'ERR_PAYLOAD_EXPIRED'))
    terminal.tell(`${wrapText(savedTokenHint, terminal.columns, '')}\n`)
  const claims = request.showClaims ? claimsOf(token) : undefined
  if (request.json) printJson(request.showClaims ? { checks, claims } : checks, terminal)
  else if (claims) printJson(claims, terminal)
  const failed = checks.find(({ outcome }) => outcome === 'failed')
  if (!failed) return exitCodes.done
  return failed.code === 'ERR_UNAVAILABLE' ? exitCodes.unreachable : exitCodes.refused
}

/** The claims, as far as they can be read. */
function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return readToken(unwrapToken(token).token).claims()
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
