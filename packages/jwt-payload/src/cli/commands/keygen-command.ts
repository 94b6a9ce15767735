import { type Command, Option } from 'commander'
import { base64url } from 'jose'
import { z } from 'zod'
import { importVerificationKey } from '../../keys/import-verification-key.ts'
import { UsageError } from '../cli-errors.ts'
import type { CommandLine } from '../command-line.ts'
import { describeMadeKeys, type MadeKeys } from '../keygen/describe-made-keys.ts'
import { keyPairAlgorithms, makeKeyPair } from '../keygen/make-key-pair.ts'
import { idFromName, type Registrant, registrationJson } from '../keygen/registration.ts'
import { writeNewFiles } from '../keygen/write-new-files.ts'
import { integerFrom } from '../option-values.ts'
import { printJson } from '../output/print-json.ts'
import { withProgress } from '../output/with-progress.ts'
import type { Terminal } from '../terminal.ts'

/** Longest validity of a certificate, in days: ten years. */
const maxDays = 3653

const keygenRequestSchema = z.object({
  action: z.literal('keygen'),
  name: z.string(),
  id: z.string().optional(),
  issuer: z.string().optional(),
  out: z.string(),
  algorithm: z.enum(keyPairAlgorithms).optional(),
  days: z.int().optional(),
  secret: z.boolean().default(false),
  json: z.boolean().default(false),
})

/** What `service-payload keygen` is asked for. */
export type KeygenRequest = z.output<typeof keygenRequestSchema>

/** Adds `keygen` to the program. */
export function addKeygenCommand(program: Command, choose: (request: CommandLine) => void): void {
  program
    .command('keygen')
    .description(
      'Makes a key pair with a self-signed certificate to mail to the service, and a registration for your own tries.',
    )
    .requiredOption('--name <text>', 'name of your application or company, 1 to 64 characters')
    .option(
      '--id <text>',
      'identifier of the registration and begin of the file names; default from the name',
    )
    .option('--issuer <text>', 'the iss of your tokens, to be registered; needed only for tokens without kid')
    .option('--out <folder>', 'where the files go; nothing is overwritten', '.')
    .addOption(new Option('--algorithm <name>', 'default ES256').choices(keyPairAlgorithms))
    .option(
      '--days <number>',
      `validity of the certificate, 1 to ${maxDays}; default 730`,
      integerFrom(1, maxDays),
    )
    .option('--secret', 'makes a shared secret (HS256) instead of a key pair')
    .option('--json', 'prints names, thumbprints and files as JSON')
    .action(options => choose(keygenRequestSchema.parse({ action: 'keygen', ...options })))
}

/**
 * Makes keys and writes their files.
 *
 * @throws {UsageError} when name or options cannot be right
 * @throws {FileError} when a file exists or cannot be written
 */
export async function runKeygen(request: KeygenRequest, terminal: Terminal): Promise<void> {
  const registrant = readRegistrant(request)
  if (request.secret && (request.algorithm !== undefined || request.days !== undefined))
    throw new UsageError('A shared secret has no --algorithm and no --days.')
  const made = request.secret
    ? await makeSecret(request, registrant)
    : await makeCertifiedKeys(request, registrant, terminal)
  if (request.json) printJson(made, terminal)
  terminal.tell(describeMadeKeys(made, terminal))
}

function readRegistrant({ name, id = idFromName(name), issuer }: KeygenRequest): Registrant {
  if (!/^[^\p{Cc}]{1,64}$/u.test(name) || name.trim() !== name)
    throw new UsageError('--name needs 1 to 64 characters, without white space around them.')
  if (id === '')
    throw new UsageError('The name has no letter or digit that a file name could begin with. Give --id.')
  if (!/^\w[\w.-]{0,63}$/.test(id))
    throw new UsageError('--id needs 1 to 64 letters, digits, dots, underscores or hyphens.')
  if (issuer === '' || (issuer?.length ?? 0) > 1024)
    throw new UsageError('--issuer needs 1 to 1024 characters.')
  return { id, name, issuer }
}

async function makeCertifiedKeys(
  { algorithm = 'ES256', days = 730, out }: KeygenRequest,
  registrant: Registrant,
  terminal: Terminal,
): Promise<MadeKeys> {
  const { privatePem, certificatePem } = await withProgress('Making the keys', terminal, async () => {
    // Loaded only here: the library for certificates is larger than all the rest.
    const { makeCertificate } = await import('../keygen/make-certificate.ts')
    const pair = await makeKeyPair(algorithm)
    const facts = { name: registrant.name, days, now: terminal.clock() }
    return { privatePem: pair.privatePem, certificatePem: await makeCertificate(pair, facts) }
  })
  const source = { kind: 'x509' as const, pem: certificatePem, algorithms: [algorithm] }
  // Read as the service is going to read it.
  const { keyId, certificate } = await importVerificationKey(source, { clock: terminal.clock })
  if (keyId === undefined || !certificate) throw new TypeError('A certificate gave no key id.')
  terminal.signal.throwIfAborted()
  const { id } = registrant
  const [certificateFile = '', registrationFile = '', privateFile = ''] = await writeNewFiles(out, [
    { name: `${id}.certificate.pem`, content: certificatePem, isSecret: false },
    {
      name: `${id}.registration.json`,
      content: registrationJson(registrant, { ...source, kid: keyId }),
      isSecret: false,
    },
    { name: `${id}.private.pem`, content: privatePem, isSecret: true },
  ])
  return { algorithm, keyId, certificate, privateFile, publicFiles: [certificateFile, registrationFile] }
}

async function makeSecret({ out }: KeygenRequest, registrant: Registrant): Promise<MadeKeys> {
  const secret = base64url.encode(crypto.getRandomValues(new Uint8Array(48)))
  const keyId = crypto.randomUUID()
  const key = { kind: 'secret' as const, secret, kid: keyId, algorithms: ['HS256' as const] }
  const { id } = registrant
  const [privateFile = '', registrationFile = ''] = await writeNewFiles(out, [
    { name: `${id}.secret`, content: `${secret}\n`, isSecret: true },
    { name: `${id}.registration.json`, content: registrationJson(registrant, key), isSecret: true },
  ])
  return { algorithm: 'HS256', keyId, certificate: undefined, privateFile, publicFiles: [registrationFile] }
}
