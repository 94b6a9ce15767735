import { existsSync } from 'node:fs'
import {
  Argument,
  createProgram,
  integerOption,
  Option,
  type Program,
  parseWords,
  type Terminal,
  UsageError,
} from '@service-link/terminal'
import manifest from '../../package.json' with { type: 'json' }
import { addressAdvice, addressProblem } from '../http/receiver-address.ts'
import { keyPairAlgorithms, payloadAlgorithms } from '../keys/algorithms.ts'
import { maxSpanSeconds, payloadPolicies } from '../verify/check-claims.ts'
import { isFileContent } from './files.ts'
import { runOpen } from './open.ts'
import { runPost, runSign } from './sign-and-post.ts'
import { passPhraseVariable } from './unlock-key.ts'
import { runExplain, runVerify } from './verify-and-explain.ts'

/** Carries out a subcommand. Only `explain` has an exit code of its own. */
type Work = (terminal: Terminal) => Promise<0 | 3 | 4 | undefined>

const passPhraseHelp = `asks for its pass phrase, or reads ${passPhraseVariable}`

/** Longest validity of a certificate, in days: ten years. */
const maxDays = 3653

const exitCodesText = `
Exit codes: 0 done; 2 wrong usage, or a file or key that cannot be used; 3 the service or a
key set cannot be reached, or no browser opened; 4 refused, by the service or by the checks that
it makes; 130 Ctrl+C. Data goes to standard output, text for people to standard error.
`

/** @throws {UsageError} when the arguments cannot be understood */
export function readSubcommand(argv: readonly string[]): Work {
  let work: Work | undefined
  const program = createProgram(
    'service-payload',
    'The partner’s side of the partner link: make keys, sign payloads, and find out why one is refused.',
    manifest.version,
  )
    .usage('<subcommand> [options]')
    .addHelpText('after', exitCodesText)

  program
    .command('keygen')
    .description(
      'Makes a key pair with a self-signed certificate to mail to the service, and a registration for your own tries.',
    )
    .requiredOption('--name <text>', 'name of your application or company, 1 to 64 characters')
    .option('--id <text>', 'identifier of the registration; default from the name')
    .option('--issuer <text>', 'the iss of your tokens, to be registered; needed only for tokens without kid')
    .addOption(
      fileOption(
        '--out <folder>',
        'folder of private.pem, certificate.pem and registration.json; nothing is overwritten',
      ).default('.'),
    )
    .addOption(new Option('--algorithm <name>', 'default RS256').choices(keyPairAlgorithms))
    .addOption(
      integerOption('--days <number>', `validity of the certificate, 1 to ${maxDays}; default 730`, maxDays),
    )
    .addOption(
      new Option('--secret', 'makes a shared secret (HS256) instead of a key pair')
        .default(false)
        .conflicts(['algorithm', 'days']),
    )
    .option('--json', 'prints names, thumbprints and files as JSON', false)
    .action(options => {
      // Loaded late: its library for certificates is larger than the rest of the program.
      work = async terminal => (await import('./keygen.ts')).runKeygen(options, terminal)
    })

  addSigningOptions(
    program
      .command('sign')
      .description('Signs claims, given as JSON on standard input, and prints the token.')
      .addOption(
        fileOption(
          '--key <file>',
          `private key (PEM, PKCS#12, JWK) or shared secret (base64url text); ${passPhraseHelp}`,
        ).makeOptionMandatory(),
      )
      .addOption(requiredAudience()),
  ).action(options => {
    work = terminal => runSign(options, terminal)
  })

  addVerifyingOptions(program.command('verify').addOption(requiredAudience()))
    .description('Verifies a token as the service does, and prints its claims as JSON.')
    .option(
      '--json',
      'prints what else is known of the token beside its claims, and a refusal, as JSON',
      false,
    )
    .action((_input, options) => {
      work = terminal => runVerify(options, terminal)
    })

  addVerifyingOptions(
    program
      .command('explain')
      .addOption(audienceOption(receiverAddress))
      .addOption(
        addressOption(
          '--receiver <url>',
          `${receiverAddress}; asks it for its audience and limits`,
        ).conflicts('audience'),
      ),
  )
    .description('Walks a token through every check of the service, and says what to change.')
    .option('--show-claims', 'prints the claims as JSON, with the values: data about people', false)
    .option('--json', 'prints the checks as JSON', false)
    .action((_input, options) => {
      if (!options.audience && !options.receiver)
        throw new UsageError(
          'Give --receiver to ask the receiver what it takes, or --audience without a request.',
        )
      work = terminal => runExplain(options, terminal)
    })

  addPayloadOptions(program.command('post'))
    .description(
      'Posts a payload, and prints the one-time URL for a program that holds it in memory, such as a window of its own: signs claims when --key is given, else posts a token.',
    )
    .addOption(integerOption('--timeout <seconds>', 'longest wait, 1 to 3600; default 30', 3600))
    .option('--json', 'prints the answer, or the refusal, as JSON', false)
    .action((url, options) => {
      work = terminal => runPost({ url, ...options }, terminal)
    })

  addPayloadOptions(program.command('open'))
    .description(
      'Opens the service in the user’s browser, by a private file that posts the payload: signs claims when --key is given, else takes a token. Ends, and removes the file, when the token has ended.',
    )
    .action((url, options) => {
      work = terminal => runOpen({ url, ...options }, terminal)
    })

  program
    .command('serve')
    .description(
      'Starts a service for tests in any language, with the package @service-link/receiver: prints one JSON object, and runs until Ctrl+C or the end of a pipe to its standard input.',
    )
    .addOption(integerOption('--port <number>', 'port of 127.0.0.1; default a free one', 65_535))
    .addOption(fileOption('--registration <file>', 'your registration.json; its keys are registered too'))
    .option('--first-visit', 'shows every employee the log-in page', false)
    .addHelpText('after', serveHelp)
    .action(options => {
      work = async terminal => (await import('./serve.ts')).runServe(options, terminal)
    })

  const text = parseWords(program, argv)
  if (text !== undefined) return async terminal => void (await terminal.print(text))
  if (!work) throw new UsageError('Name a subcommand.')
  return work
}

const claimsHelp = `
The claims are JSON, such as
  {"organizationId": "org-1", "employeeId": "emp-7",
   "contact": {"id": "4711", "firstname": "Ola"}}
iat, exp, aud and jti are added.`

const serveHelp = `
The object has the address of the post, the origin of all others, issuer, kid, privateKey (PEM)
and registration, the partner with its public keys. Requests, answered in JSON:
  POST /partner/payload       the post, as to the real service
  GET /deliveries, /refusals  what was taken, and what was refused; ?wait=<ms>: the next one
  POST /tokens/valid          a signed token; a JSON body overwrites claims
  POST /tokens/<refusal code> a token that is refused so`

function addSigningOptions(command: Program): Program {
  return command
    .option(
      '--kid <text>',
      'key id that is registered; default the key’s RFC 7638 thumbprint, none for a secret',
    )
    .option('--issuer <text>', 'becomes iss')
    .addOption(
      new Option('--algorithm <name>', 'default: the first one of the key’s type').choices(payloadAlgorithms),
    )
    .addOption(integerOption('--expires-in <seconds>', `1 to ${maxSpanSeconds}; default 60`, maxSpanSeconds))
    .addOption(fileOption('--claims <file>', 'JSON file with the claims; default -, standard input'))
    .addHelpText('after', claimsHelp)
}

function addPayloadOptions(command: Program): Program {
  return addSigningOptions(command)
    .argument('<url>', receiverAddress, text => addressFrom('url', text))
    .addOption(fileOption('--key <file>', `private key or shared secret to sign with; ${passPhraseHelp}`))
    .addOption(
      fileOption('--token <file>', 'file with a token to post, without --key; default -, standard input'),
    )
    .addOption(audienceOption('default: the address that is posted to'))
}

function addVerifyingOptions(command: Program): Program {
  return command
    .addArgument(new Argument('[-]', 'standard input, as without it').argParser(refuseToken))
    .addOption(fileOption('--file <file>', 'file with the token; default -, standard input'))
    .requiredOption(
      '--key <file or url>',
      'what is registered: certificate, public key (PEM, JWK), registration.json, https address of a key set, or shared secret; several times for several',
      (text, before: readonly string[] = []) => [...before, pathFrom('--key', text)],
    )
    .option('--kid <text>', 'key id that the key is registered with; default its own')
    .option('--issuer <text>', 'registered issuer; default that of a registration.json, else any')
    .addOption(
      new Option(
        '--policy <name>',
        'policy of the partner; default that of a registration.json, else strict',
      ).choices(payloadPolicies),
    )
    .option(
      '--at <time>',
      'looks at the token as of this time, such as 2026-06-01T12:00:00Z; iat: as of when it was signed; default now',
      momentFrom,
    )
}

/** Refuses a token as an argument. Other users may have read it by then: the sentence is for the next call. */
function refuseToken(text: string): string {
  if (text === '-') return text
  throw new UsageError(
    'Give the token on standard input or by --file: other users of the machine can read arguments.',
  )
}

function fileOption(flags: string, summary: string): Option {
  const option = new Option(flags, summary)
  return option.argParser(text => pathFrom(option.long ?? flags, text))
}

/** Refuses the content of a file, which messages about the file would repeat. */
function pathFrom(name: string, text: string): string {
  if (existsSync(text) || !isFileContent(text)) return text
  const kind = name === '--out' ? 'folder' : 'file'
  throw new UsageError(
    `${name} needs the name of a ${kind}, not ${text === '' ? 'empty text' : 'what is in it'}. Other users of the machine can read arguments.`,
  )
}

const receiverAddress = 'address of the receiver, {sso_url}/partner/payload'

function requiredAudience(): Option {
  return audienceOption(receiverAddress).makeOptionMandatory()
}

function audienceOption(summary: string): Option {
  return addressOption('--audience <url>', summary)
}

function addressOption(flags: string, summary: string): Option {
  const option = new Option(flags, summary)
  return option.argParser(text => addressFrom(option.long ?? flags, text))
}

/** Returns the address unchanged: the receiver compares it letter by letter. */
function addressFrom(name: string, text: string): string {
  const problem = addressProblem(text)
  if (problem) throw new UsageError(`${name} ${problem}. ${addressAdvice}`)
  return text
}

const momentPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/

function momentFrom(text: string): Date | 'iat' {
  if (text === 'iat') return text
  const moment = new Date(text)
  if (!momentPattern.test(text) || Number.isNaN(moment.getTime()))
    throw new UsageError('--at needs iat, or a time with its zone, such as 2026-06-01T12:00:00Z.')
  return moment
}
