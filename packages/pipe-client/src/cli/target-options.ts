import { type Brand, BrandError, type BrandOptions, defineBrand } from '@service-link/protocol-core/brand'
import { Option, type Program, UsageError } from '@service-link/terminal'

/** The wrapper to call, and the time for it. */
export interface Target {
  readonly brand: Brand
  readonly pid: number | undefined
  /** Longest wait, in milliseconds. */
  readonly timeoutMs: number | undefined
  /** Whether a wrapper is started when none is running. */
  readonly startIfNeeded: boolean
  /** Whether the wrapper publishes no record, and the classic mode drives it. */
  readonly isClassic: boolean
}

/** The brand options as they were given. */
export interface BrandValues
  extends Pick<BrandOptions, 'vendor' | 'application' | 'pipePrefix' | 'registryKey'> {
  readonly brandName?: string
}

/** The options of {@link addTargetOptions} as they were given. */
export interface TargetValues extends BrandValues {
  readonly pid?: number
  readonly start?: boolean
  readonly timeout?: number
  readonly classic?: boolean
}

/** An option that takes a number, once. */
export function valueOption(
  flags: string,
  summary: string,
  { pattern, max = Number.MAX_SAFE_INTEGER, needs }: { pattern: RegExp; max?: number; needs: string },
): Option {
  const option = new Option(flags, summary)
  return option.argParser((text: string, before: number | undefined) => {
    if (before !== undefined) throw new UsageError(`${option.long} is given twice.`)
    const value = Number(text)
    if (!pattern.test(text) || value <= 0 || value > max)
      throw new UsageError(`${option.long} needs ${needs}`)
    return value
  })
}

/** Adds the options that say which wrapper is called, and how long. */
export function addTargetOptions(command: Program): Program {
  command
    .addOption(
      valueOption('--pid <id>', 'process id of the wrapper; needed when several are running', {
        pattern: /^[1-9]\d{0,9}$/,
        needs: 'a process id, as service-pipe list prints it.',
      }),
    )
    .option('--start', 'starts the wrapper when none is running')
    .addOption(
      valueOption(
        '--timeout <seconds>',
        'longest wait, once the arguments are read, for finding or starting the wrapper and for the command; default 35, with --start 60 for the start and 35 more for the command; if given, also before that the longest wait for arguments of a pipe',
        {
          pattern: /^\d+(\.\d+)?$/,
          max: 86_400,
          needs: 'a number of seconds above 0, at most 86400.',
        },
      ),
    )
  return addBrandOptions(command)
}

/** Brand options, with flag and help. */
const brandOptions = [
  ['name', '--brand-name <name>', 'name of the wrapper’s brand, as in its brand file; default Service'],
  ['vendor', '--vendor <name>', 'vendor of the brand, where it has its own; default its name'],
  [
    'application',
    '--application <name>',
    'application of the brand, where it has its own; default its name and .Client.WebWrapper',
  ],
  [
    'pipePrefix',
    '--pipe-prefix <prefix>',
    'first part of the pipe’s name, where the brand has its own; default its name and pipe',
  ],
  [
    'registryKey',
    '--registry-key <path>',
    'key in the registry of Windows, where the brand has its own; default Software\\ and its vendor and application',
  ],
] as const satisfies readonly (readonly [keyof BrandOptions, string, string])[]

/** Adds the options of every subcommand. */
export function addBrandOptions(command: Program): Program {
  command.option('--json', 'prints a failure as JSON as well, for programs')
  for (const [, flag, help] of brandOptions) command.option(flag, help)
  return command
}

/** @throws {UsageError} when a value cannot name a file or a pipe */
export function readBrand({
  brandName: name,
  vendor,
  application,
  pipePrefix,
  registryKey,
}: BrandValues): Brand {
  try {
    return defineBrand({ name, vendor, application, pipePrefix, registryKey })
  } catch (error) {
    if (!(error instanceof BrandError)) throw error
    const [, flag = ''] = brandOptions.find(([option]) => option === error.option) ?? []
    throw new UsageError(error.message.replace(`Brand option ${error.option}`, flag.replace(/ .*/, '')))
  }
}

/** @throws {UsageError} when two options contradict each other */
export function readTarget(values: TargetValues): Target {
  const { pid, start = false, timeout, classic = false } = values
  if (start && pid !== undefined)
    throw new UsageError('--pid names a wrapper that runs, so --start does not go with it.')
  if (classic && pid === undefined)
    throw new UsageError('--classic needs --pid: a wrapper without a record is known by its process alone.')
  return {
    brand: readBrand(values),
    pid,
    timeoutMs: timeout === undefined ? undefined : Math.ceil(timeout * 1000),
    startIfNeeded: start,
    isClassic: classic,
  }
}
