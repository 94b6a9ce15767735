import { isServiceLinkError } from '@service-link/protocol-core'
import { docsUrlOf } from '@service-link/protocol-core/errors'
import {
  createProgram,
  Option,
  parseWords,
  printJson,
  type Terminal,
  tellFailure,
  UsageError,
} from '@service-link/terminal'
import { kindOf } from '@service-link/wrapper-host/packing'
import manifest from '../package.json' with { type: 'json' }
import { BrandFileError, readBrandFile } from './brand/read-brand-file.ts'
import { defaultNodeVersion } from './node/fetch-node.ts'
import { type PackPlatform, packTargets } from './pack-plan.ts'
import { packWrapper } from './pack-wrapper.ts'

const programName = 'service-webwrapper-pack'

const helpAfter = `
The brand file is JSON with version and names of your wrapper, and files relative to it.
docs/guides/pack-a-wrapper.md describes it. The output is the folder
<output>/<application>-<version>-<platform>/; beside it a CycloneDX list of its parts
(.cdx.json) and, for Windows, an installer.

Exit codes: 0 packed, 1 failed, 2 the arguments or the brand file are wrong.
Standard output has the paths of the output, a line each; with --json an array of
{platform, folder, executable, sbom, installer}.`

interface PackArguments {
  readonly brandFile: string
  readonly output: string
  /** At least one, without duplicates. */
  readonly platform: readonly PackPlatform[]
  readonly installer: boolean
  readonly node?: string
  readonly nodeVersion: string
  readonly force: boolean
  readonly json: boolean
}

/**
 * Carries out one call of `service-webwrapper-pack`. Never exits the process.
 *
 * @returns exit code
 */
export async function runServiceWebwrapperPack(
  argv: readonly string[],
  terminal: Terminal,
): Promise<0 | 1 | 2> {
  const signal = terminal.interruption()
  try {
    const options = readArguments(argv)
    if ('help' in options) await terminal.print(options.help)
    else await pack(options, terminal, signal)
    return 0
  } catch (error) {
    const known = isServiceLinkError(error) ? error : undefined
    const isUsage = error instanceof UsageError
    const failed = known?.message ?? `An unexpected failure (${kindOf(error)}). Report it.`
    tellFailure(terminal, programName, {
      sentence: signal.aborted ? 'Interrupted: nothing was packed.' : failed,
      code: known?.code ?? 'ERR_INTERNAL',
      advice: isUsage ? `See ${programName} --help` : undefined,
      docsUrl: known ? known.docsUrl : docsUrlOf('ERR_INTERNAL'),
    })
    return isUsage || error instanceof BrandFileError ? 2 : 1
  }
}

async function pack(options: PackArguments, terminal: Terminal, signal: AbortSignal): Promise<void> {
  const plan = await readBrandFile(options.brandFile)
  const made = []
  for (const platform of options.platform) {
    const target = packTargets[platform]
    const onProgress = (sentence: string) => terminal.tell(`${sentence}\n`)
    const packed = await packWrapper({ ...options, plan, target, signal, onProgress })
    made.push({ platform, ...packed })
  }
  if (options.json) await printJson(made, terminal)
  else
    for (const { folder, installer } of made)
      await terminal.print(installer === undefined ? `${folder}\n` : `${folder}\n${installer}\n`)
}

/** @throws {UsageError} */
function readArguments(argv: readonly string[]): PackArguments | { readonly help: string } {
  let read: PackArguments | undefined
  const program = createProgram(
    programName,
    'Packs a wrapper of your own: executable, configuration and, for Windows, installer.',
    manifest.version,
  )
    .argument('<brand.json>', 'the brand file')
    .option('--output <folder>', 'folder for the output', '.')
    .option(
      '--platform <platform>',
      'win-x64 or linux-x64; may be given for each (default: win-x64)',
      addPlatform,
    )
    .option('--no-installer', 'make no installer')
    .option('--node <file>', "the platform's Node (default: fetched by npm, and kept for the next time)")
    .addOption(
      new Option('--node-version <version>', 'version of Node')
        .argParser(readNodeVersion)
        .default(defaultNodeVersion),
    )
    .option('--force', 'replace former output', false)
    .option('--json', 'print the output’s paths as JSON', false)
    .allowExcessArguments(false)
    .addHelpText('after', helpAfter)
    .action((brandFile, options) => {
      read = { platform: ['win-x64'], ...options, brandFile }
    })
  const help = parseWords(program, argv)
  if (help !== undefined) return { help }
  if (!read) throw new UsageError('Name a brand file.')
  if (read.node !== undefined && read.platform.length > 1)
    throw new UsageError('--node is the Node of one platform; pack them one after the other.')
  return read
}

function addPlatform(value: string, before: readonly PackPlatform[] = []): readonly PackPlatform[] {
  if (!isPlatform(value))
    throw new UsageError(`--platform: known are ${Object.keys(packTargets).join(' and ')}.`)
  return before.includes(value) ? before : [...before, value]
}

function isPlatform(value: string): value is PackPlatform {
  return Object.hasOwn(packTargets, value)
}

function readNodeVersion(value: string): string {
  if (/^\d{2,3}\.\d{1,3}\.\d{1,3}$/.test(value)) return value
  throw new UsageError('--node-version is three numbers, such as 26.10.0.')
}
