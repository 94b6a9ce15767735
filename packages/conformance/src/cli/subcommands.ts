import {
  createProgram,
  integerOption,
  Option,
  type Program,
  parseWords,
  type Terminal,
  UsageError,
} from '@service-link/terminal'
import manifest from '../../package.json' with { type: 'json' }
import { splitWords } from '../programs/split-words.ts'
import type { ConformanceTarget } from '../run-conformance.ts'
import { type RoleName, roleNames } from '../scenario.ts'
import { signerAlgorithms } from '../signer/open-signer.ts'
import { readKey } from './files.ts'

interface CommonOptions {
  readonly only?: readonly string[]
  readonly knownFailures?: string
  readonly report?: string
  /** Seconds. */
  readonly timeout?: number
  readonly json: boolean
  readonly list: boolean
}

interface TargetOptions extends CommonOptions {
  readonly program?: string
  readonly launch?: string
  readonly address?: string
  readonly key?: string
  readonly kid?: string
  readonly issuer?: string
  readonly algorithm?: (typeof signerAlgorithms)[number]
}

/** A parsed command line: a text to print, or a role and its target. */
export type Subcommand =
  | { readonly text: string }
  | {
      readonly role: RoleName
      readonly options: CommonOptions
      target(terminal: Terminal): Promise<ConformanceTarget>
    }

const summaries: Readonly<Record<RoleName, string>> = {
  'pipe-client':
    'Drives a program that asks the wrapper: {program} <command> key=value …, JSON on standard output.',
  wrapper: 'Starts a wrapper whose web app is signed in, and sends it classic and session requests.',
  signer: 'Gives claims on standard input to a program that prints a token.',
  receiver: 'Posts valid and wrong payloads to a service that takes the partner link.',
}

const programHelp: Readonly<Record<Exclude<RoleName, 'receiver'>, string>> = {
  'pipe-client': 'its command line, without the command',
  wrapper: 'its command line; {folder} stands for a new folder',
  signer: 'its command line; {key}, {kid}, {audience} and {issuer} stand for the values of the run',
}

const exitCodesText = `
Exit codes: 0 each scenario passed, or failed as the file of known failures says; 1 otherwise;
2 wrong usage, or a file that cannot be used; 130 Ctrl+C.
`

/** @throws {UsageError} when the arguments cannot be understood */
export function readSubcommand(argv: readonly string[]): Subcommand {
  let line: Subcommand | undefined
  const program = createProgram(
    'service-conformance',
    'Checks a program of any language against the protocol.',
    manifest.version,
  )
    .usage('<role> [options]')
    .addHelpText('after', exitCodesText)
  for (const role of roleNames) {
    const command = addCommonOptions(program.command(role).description(summaries[role]))
    if (role === 'receiver') addReceiverOptions(command)
    else command.option('--program <line>', programHelp[role])
    if (role === 'wrapper')
      command.option(
        '--launch <line>',
        'command line of a second start, without arguments; default --program',
      )
    if (role === 'signer')
      command.addOption(new Option('--algorithm <name>', 'default RS256').choices(signerAlgorithms))
    command.action((options: TargetOptions) => {
      line = { role, options, target: terminal => targetOf(role, options, terminal) }
    })
  }
  const text = parseWords(program, argv)
  if (text !== undefined) return { text }
  if (!line) throw new UsageError('Name a role.')
  return line
}

function addCommonOptions(command: Program): Program {
  return command
    .option('--only <id...>', 'runs these scenarios alone')
    .option(
      '--known-failures <file>',
      'JSON: the reason for each scenario that is expected to fail, by its id',
    )
    .option('--report <folder>', 'writes <role>.json, <role>.xml (JUnit) and <role>.html')
    .addOption(
      integerOption('--timeout <seconds>', 'longest time of one scenario, 1 to 3600; default 30', 3600),
    )
    .option('--json', 'prints the report as JSON', false)
    .option('--list', 'prints the scenarios, and runs none', false)
}

function addReceiverOptions(command: Program): void {
  command
    .option('--address <url>', 'address of the post, {sso_url}/partner/payload')
    .option(
      '--key <file>',
      'private key (PKCS #8 PEM, JWK) or shared secret (base64url text) of a registered partner',
    )
    .option('--kid <text>', 'its registered kid; default the RFC 7638 thumbprint')
    .option('--issuer <text>', 'the registered issuer')
}

async function targetOf(
  role: RoleName,
  options: TargetOptions,
  terminal: Terminal,
): Promise<ConformanceTarget> {
  const { program, launch, address, key, kid, issuer, algorithm } = options
  if (role !== 'receiver') {
    const words = splitWords(needed(program, '--program'))
    if (words.length === 0) throw new UsageError('--program is empty.')
    if (role === 'signer') return { role, program: words, algorithm }
    if (role === 'pipe-client') return { role, program: words }
    return { role, program: words, launch: launch === undefined ? undefined : splitWords(launch) }
  }
  if (!URL.canParse(needed(address, '--address'))) throw new UsageError('--address needs an absolute URL.')
  const source = await readKey(needed(key, '--key'), kid === undefined ? {} : { kid }, terminal)
  return { role, address: needed(address, '--address'), key: source, issuer }
}

function needed(value: string | undefined, option: string): string {
  if (value === undefined) throw new UsageError(`${option} is missing.`)
  return value
}
