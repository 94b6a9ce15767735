import { type Command, Option } from 'commander'
import { z } from 'zod'
import { payloadAlgorithms } from '../../keys/algorithms.ts'
import { signPayload } from '../../sign/sign-payload.ts'
import { maxSpanSeconds } from '../../verify/check-claims.ts'
import type { CommandLine } from '../command-line.ts'
import { readSigningKey } from '../input/read-signing-key.ts'
import { takeClaims } from '../input/take-claims.ts'
import { addressFrom, integerFrom } from '../option-values.ts'
import type { Terminal } from '../terminal.ts'

/** Options of every command that signs. */
export const signingOptionsSchema = z.object({
  kid: z.string().optional(),
  algorithm: z.enum(payloadAlgorithms).optional(),
  issuer: z.string().optional(),
  expiresIn: z.int().optional(),
  claims: z.string().optional(),
  organization: z.string().optional(),
  employee: z.string().optional(),
  contact: z.string().optional(),
})

const signRequestSchema = signingOptionsSchema.extend({
  action: z.literal('sign'),
  key: z.string(),
  audience: z.string(),
})

/** What `service-payload sign` is asked for. */
export type SignRequest = z.output<typeof signRequestSchema>

/** Adds `sign` to the program. */
export function addSignCommand(program: Command, choose: (request: CommandLine) => void): void {
  const command = program
    .command('sign')
    .description('Signs claims, given as JSON on standard input, and prints the token.')
    .requiredOption('--key <file>', 'private key (PKCS#8 PEM, JWK) or shared secret (base64url text)')
    .requiredOption('--audience <url>', 'address of the receiver, {sso_url}/partner/payload', addressFrom)
    .action(options => choose(signRequestSchema.parse({ action: 'sign', ...options })))
  addSigningOptions(command)
  command.addHelpText('after', claimsHelp)
}

/** Adds the options of {@link signingOptionsSchema}. */
export function addSigningOptions(command: Command): void {
  command
    .option(
      '--kid <text>',
      'key id that is registered; default the key’s RFC 7638 thumbprint, none for a secret',
    )
    .option('--issuer <text>', 'becomes iss')
    .addOption(
      new Option('--algorithm <name>', 'default: the first one of the key’s type').choices(payloadAlgorithms),
    )
    .option('--expires-in <seconds>', `1 to ${maxSpanSeconds}; default 60`, integerFrom(1, maxSpanSeconds))
    .option('--claims <file>', 'JSON file with the claims; default -, standard input')
    .option('--organization <id>', 'the three required claims, instead of JSON;')
    .option('--employee <id>', 'other users of this machine can see them in its')
    .option('--contact <id>', 'list of processes, and your shell keeps them')
}

/** What the help of a command that signs says of claims. */
export const claimsHelp = `
The claims are JSON, such as
  {"organizationId": "org-1", "employeeId": "emp-7", "contact": {"id": "4711", "firstname": "Ola"}}
Give those of real people on standard input: what is in a command line is seen by other users of the machine.
iat, exp, aud and jti are added.`

/** Signs, and prints the token. */
export async function runSign(request: SignRequest, terminal: Terminal): Promise<void> {
  terminal.print(`${await signRequested(request, request.key, request.audience, terminal)}\n`)
}

/** Signs as the options of {@link addSigningOptions} say. */
export async function signRequested(
  request: z.output<typeof signingOptionsSchema>,
  keyPath: string,
  audience: string,
  terminal: Terminal,
): Promise<string> {
  const { kid, algorithm, issuer, expiresIn, claims, organization, employee, contact } = request
  const key = await readSigningKey({ key: keyPath, kid, algorithm }, terminal)
  const payload = await takeClaims({ claims, organization, employee, contact }, terminal)
  return signPayload(payload, key, {
    audience,
    clock: terminal.clock,
    ...(issuer === undefined ? {} : { issuer }),
    ...(expiresIn === undefined ? {} : { expiresInSeconds: expiresIn }),
  })
}
