import type { Command } from 'commander'
import { z } from 'zod'
import { PayloadShapeError, Refusal } from '../../errors/refusals.ts'
import type { CommandLine } from '../command-line.ts'
import { printJson } from '../output/print-json.ts'
import { withProgress } from '../output/with-progress.ts'
import type { Terminal } from '../terminal.ts'
import { verifyAsService } from './verify-as-service.ts'
import { addVerifyingOptions, readVerifyingInput, verifyingOptionsSchema } from './verifying-options.ts'

const verifyRequestSchema = verifyingOptionsSchema.extend({ action: z.literal('verify') })

/** What `service-payload verify` is asked for. */
export type VerifyRequest = z.output<typeof verifyRequestSchema>

/** Adds `verify` to the program. */
export function addVerifyCommand(program: Command, choose: (request: CommandLine) => void): void {
  addVerifyingOptions(program.command('verify'))
    .description('Verifies a token as the service does, and prints its claims as JSON.')
    .option('--json', 'prints what else is known of the token beside its claims, and a refusal, as JSON')
    .action((token, options) => choose(verifyRequestSchema.parse({ action: 'verify', token, ...options })))
}

/**
 * Verifies, and prints the payload.
 *
 * @throws {Refusal} when it is refused
 */
export async function runVerify(request: VerifyRequest, terminal: Terminal): Promise<void> {
  const input = await readVerifyingInput(request, terminal)
  try {
    const verified = await withProgress('Verifying', terminal, () => verifyAsService(input))
    const { payload, algorithm, keyId, issuer, tokenId, times } = verified
    printJson(request.json ? { payload, algorithm, keyId, issuer, tokenId, ...times } : payload, terminal)
  } catch (error) {
    if (request.json && error instanceof Refusal)
      printJson(
        {
          refusal: {
            code: error.code,
            ...(error instanceof PayloadShapeError ? { issues: error.issues } : {}),
          },
        },
        terminal,
      )
    throw error
  }
}
