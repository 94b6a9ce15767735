import { type Command, Option } from 'commander'
import { z } from 'zod'
import { readVerificationKeys, type VerificationKeys } from '../input/read-verification-keys.ts'
import { signingTimeOf } from '../input/signing-time.ts'
import { takeToken } from '../input/take-token.ts'
import { addressFrom, collected, momentFrom } from '../option-values.ts'
import type { Terminal } from '../terminal.ts'

/** Options of the commands that look at a token. */
export const verifyingOptionsSchema = z.object({
  token: z.string().optional(),
  file: z.string().optional(),
  key: z.array(z.string()),
  kid: z.string().optional(),
  audience: z.string(),
  issuer: z.string().optional(),
  policy: z.enum(['strict', 'lenient']).optional(),
  at: z.union([z.literal('iat'), z.date()]).optional(),
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
    .option('--issuer <text>', 'registered issuer; default that of a registration.json, else any')
    .addOption(
      new Option(
        '--policy <name>',
        'policy of the partner; default that of a registration.json, else strict',
      ).choices(['strict', 'lenient']),
    )
    .option(
      '--at <time>',
      'looks at the token as of this time, such as 2026-06-01T12:00:00Z; iat: as of when it was signed; default now',
      momentFrom,
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

/** Reads what the options name, and says which time counts where that is not now. */
export async function readVerifyingInput(
  options: z.output<typeof verifyingOptionsSchema>,
  terminal: Terminal,
): Promise<VerifyingInput> {
  const { audience, at } = options
  const { keys, sources, terms } = await readVerificationKeys(options.key, options.kid, terminal)
  const token = await takeToken({ token: options.token, file: options.file }, terminal)
  const moment = at === 'iat' ? signingTimeOf(token) : at
  if (moment) terminal.tell(`${noteOf(moment, at === 'iat')}\n\n`)
  return {
    token,
    keys,
    sources,
    terms,
    audience,
    policy: options.policy ?? terms?.policy ?? 'strict',
    issuer: options.issuer ?? terms?.issuer,
    clock: moment ? () => moment : terminal.clock,
    signal: terminal.signal,
  }
}

function noteOf(moment: Date, isSigningTime: boolean): string {
  const time = `${moment.toISOString().slice(0, 19)}Z`
  return isSigningTime
    ? `Looked at as of ${time}, the iat of the token, and not as of now.`
    : `Looked at as of ${time}, and not as of now.`
}
