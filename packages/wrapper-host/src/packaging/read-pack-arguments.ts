import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { defaultNodeVersion } from './node/node-digests.ts'
import { type PackPlatform, packTargets } from './pack-target.ts'

/** What the command line of `service-webwrapper-pack` says. */
export interface PackArguments {
  readonly brandFile: string
  readonly output: string
  /** At least one, each once. */
  readonly platforms: readonly PackPlatform[]
  readonly installer: boolean
  readonly node: string | undefined
  readonly nodeVersion: string
  readonly force: boolean
  readonly json: boolean
}

/** The command line is over: with help, or with what is wrong about it. */
export interface ArgumentsEnd {
  readonly exitCode: 0 | 2
  /** For standard output where the exit code is 0, else for standard error. */
  readonly text: string
}

const helpAfter = `
The brand file is JSON with version and names of your wrapper, and files relative to it. What it may hold is described in
docs/guides/pack-a-wrapper.md. Made is <output>/<application>-<version>-<platform>/, and for Windows an installer beside it.

Exit codes: 0 packed, 1 it could not be packed, 2 the arguments or the brand file are wrong.
Standard output holds the paths of what was made, a line each; with --json an array of {platform, folder, executable, installer}.`

/**
 * Reads the command line.
 *
 * @param argv arguments after the program's name
 */
export function readPackArguments(argv: readonly string[]): PackArguments | ArgumentsEnd {
  let text = ''
  const take = (written: string) => {
    text += written
  }
  const command = new Command('service-webwrapper-pack')
    .description('Packs a wrapper of your own: executable, configuration and, for Windows, installer.')
    .argument('<brand.json>', 'the brand file')
    .option('--output <folder>', 'folder in which is put what is made', '.')
    .option(
      '--platform <platform>',
      'win-x64 or linux-x64; may be given for each (default: win-x64)',
      addPlatform,
    )
    .option('--no-installer', 'make no installer')
    .option('--node <file>', "the platform's Node (default: fetched by npm, and kept)")
    .option('--node-version <version>', 'version of Node', readNodeVersion, defaultNodeVersion)
    .option('--force', 'replace what was made before', false)
    .option('--json', 'tell what was made as JSON', false)
    .addHelpText('after', helpAfter)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: take, writeErr: take })
  try {
    command.parse([...argv], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return { exitCode: error.exitCode === 0 ? 0 : 2, text }
  }
  const options = command.opts()
  const platforms: readonly PackPlatform[] = options.platform ?? ['win-x64']
  if (options.node !== undefined && platforms.length > 1)
    return { exitCode: 2, text: 'error: --node is the Node of one platform; pack them one after the other\n' }
  return {
    brandFile: command.args[0] ?? '',
    output: options.output,
    platforms,
    installer: options.installer,
    node: options.node,
    nodeVersion: options.nodeVersion,
    force: options.force,
    json: options.json,
  }
}

function addPlatform(value: string, before: readonly PackPlatform[] = []): readonly PackPlatform[] {
  if (!isPlatform(value))
    throw new InvalidArgumentError(`Known are ${Object.keys(packTargets).join(' and ')}.`)
  return before.includes(value) ? before : [...before, value]
}

function isPlatform(value: string): value is PackPlatform {
  return Object.hasOwn(packTargets, value)
}

function readNodeVersion(value: string): string {
  if (/^\d{2,3}\.\d{1,3}\.\d{1,3}$/.test(value)) return value
  throw new InvalidArgumentError('It is three numbers, such as 26.10.0.')
}
