import { type Command, Option } from 'commander'
import { z } from 'zod'
import { readVerificationKeys, type VerificationKeys } from '../input/read-verification-keys.ts'
import { takeToken } from '../input/take-token.ts'
import { addressFrom, collected } from '../option-values.ts'
import type { Terminal } from '../terminal.ts'

/** Options of the commands that look at a token. */
export const verifyingOptionsSchema = z.object({
  token: z.string().optional(),
  file: z.string().optional(),
  key: z.array(z.string()),
  kid: z.string().optional(),
  audience: z.string(),
  issuer: z.string().optional(),
  policy: z.enum(['strict', 'lenient']),
  json: z.boolean().default(false),
})

/** Adds the options of {@link verifyingOptionsSchema}. */
export function addVerifyingOptions(command: Command): Command {
  return command
    .argument('[token]', 'the token; better on standard input, which other users of the machine do not see')
    .option('--file <file>', 'file with the token; default -, standard input')
    .requiredOption(
      '--key <file or url>',
      'what is registered: certificate, public key (PEM, JWK), registration.json, https address of a key set, or shared secret; several times for several',
      collected,
    )
    .option('--kid <text>', 'key id that the key is registered with; default its own')
    .requiredOption('--audience <url>', 'address of the receiver, {sso_url}/partner/payload', addressFrom)
    .option('--issuer <text>', 'registered issuer; default any')
    .addOption(
      new Option('--policy <name>', 'policy of the partner').choices(['strict', 'lenient']).default('strict'),
    )
}

/** Token, keys and options, read. */
export interface VerifyingInput extends VerificationKeys {
  readonly token: string
  readonly audience: string
  readonly policy: 'strict' | 'lenient'
  readonly issuer: string | undefined
  readonly clock: () => Date
  readonly signal: AbortSignal
}

/** Reads what the options name. */
export async function readVerifyingInput(
  options: z.output<typeof verifyingOptionsSchema>,
  terminal: Terminal,
): Promise<VerifyingInput> {
  const { audience, policy, issuer, token, file } = options
  const { keys, sources } = await readVerificationKeys(options.key, options.kid, terminal)
  return {
    token: await takeToken({ token, file }, terminal),
    keys,
    sources,
    audience,
    policy,
    issuer,
    clock: terminal.clock,
    signal: terminal.signal,
  }
}
