import { basename } from 'node:path'
import { isSea } from 'node:sea'
import { type Brand, defaultBrand } from '@service-link/protocol-core/brand'
import { assertParameter } from '@service-link/protocol-core/errors'
import { wrapperVersion } from '../settings/wrapper-folders.ts'
import { readOptions } from '../start/wrapper-options.ts'
import { packedIdentity } from './packed-identity.ts'
import type { OwnParts, ProgramIdentity } from './program-identity.ts'
import { programParts } from './program-parts.ts'
import { runWithParts } from './run-program.ts'

/** Options of {@link runProgram}: those of `createWrapper`, without what follows from the process. */
export interface RunProgramOptions extends OwnParts {
  /** Default: that of the brand file in a packed executable, else the specification's names. */
  readonly brand?: Brand | undefined
  /** Version of the program, four parts. Default: that of the brand file in a packed executable, else this package's. */
  readonly version?: string | undefined
}

/** Names of the options that a program brings of its own. */
const ownParts = [
  'engine',
  'providers',
  'commandTimeoutMs',
  'tray',
  'language',
  'texts',
  'openExternal',
] as const satisfies (keyof OwnParts)[]

/**
 * Runs a wrapper's whole program on the arguments of this process: hands them to the running wrapper, becomes the wrapper, or carries
 * out a subcommand (`doctor`, `settings`, `installer`, `test`, `help`). It logs a failed start and shows it in a message box. Sets the
 * exit code of the process, and may end the process. An `entry` of a brand file calls it, so that launcher and installer work.
 *
 * @throws {ParameterError} when an option has the wrong type
 * @throws {VersionError} when `version` is not four numbers
 * @throws {OptionError} when `version` is too old
 * @throws {ProviderNameError} when a name in `providers` is no type name, a built-in one, or given twice
 * @example
 * ```ts
 * import { runProgram } from '@service-link/wrapper-host'
 *
 * await runProgram({ texts: { trayClose: 'Exit' } })
 * ```
 */
export async function runProgram(options: RunProgramOptions = {}): Promise<void> {
  assertParameter('options', options, 'closed?', {
    ...Object.fromEntries(ownParts.map(name => [name, 'any'] as const)),
    brand: 'any',
    version: 'any',
  })
  const identity = identityOf(options)
  const { brand, version, own } = identity
  readOptions({ ...own, brand, version })
  await runWithParts(identity, async () => programParts)
}

function identityOf({ brand, version, ...own }: RunProgramOptions): ProgramIdentity {
  const packed: ProgramIdentity = isSea()
    ? packedIdentity()
    : { brand: defaultBrand, version: wrapperVersion, programName: basename(process.argv[1] ?? '') }
  return {
    ...packed,
    own: { ...packed.own, ...own },
    brand: brand ?? packed.brand,
    version: version ?? packed.version,
  }
}
