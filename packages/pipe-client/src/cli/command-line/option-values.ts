import { type Brand, BrandError, type BrandOptions, defineBrand } from '@service-link/protocol-core/brand'
import { currentPlatform } from '../../platform/current-platform.ts'
import { isOptionName, type OptionName, optionsOf } from '../facts/option-facts.ts'
import { UsageError } from '../usage-error.ts'
import type { Target } from './command-line.ts'
import type { ReadOptions } from './read-options.ts'

/**
 * Makes sure that a command has the options that were given.
 *
 * @throws {UsageError}
 */
export function assertOptions(command: string, options: ReadOptions['options']): void {
  const known = optionsOf(command)
  for (const name of Object.keys(options).filter(isOptionName))
    if (!known.includes(name)) throw new UsageError(`${command} has no option --${name}.`, command)
}

/** What each option is of a brand. */
const brandOptions = {
  'brand-name': 'name',
  vendor: 'vendor',
  application: 'application',
  'pipe-prefix': 'pipePrefix',
} as const satisfies Partial<Record<OptionName, keyof BrandOptions>>

const brandOptionNames = Object.keys(brandOptions) as (keyof typeof brandOptions)[]

/** @throws {UsageError} when it is not what a file or a pipe can be called */
export function readBrand(options: ReadOptions['options']): Brand {
  const given = brandOptionNames.filter(name => options[name] !== undefined)
  try {
    return defineBrand(Object.fromEntries(given.map(name => [brandOptions[name], options[name]])))
  } catch (error) {
    if (!(error instanceof BrandError)) throw error
    const name = given.find(option => brandOptions[option] === error.option)
    throw new UsageError(error.message.replace(`Brand option ${error.option}`, `--${name}`))
  }
}

/** Whether the pipe’s name is all that is told of a brand: not where its wrapper is installed, and where it keeps its key. */
export function isPrefixAlone(options: ReadOptions['options']): boolean {
  return brandOptionNames.every(name => (name === 'pipe-prefix') === (options[name] !== undefined))
}

/**
 * Reads which wrapper is asked, and how long.
 *
 * @throws {UsageError} when a value cannot be used, or two options contradict each other
 */
export function readTarget(options: ReadOptions['options']): Target {
  const startIfNeeded = options.start !== undefined
  if (startIfNeeded && options.pid !== undefined)
    throw new UsageError('--pid names a wrapper that runs, so --start does not go with it.')
  const brand = readBrand(options)
  if (startIfNeeded && isPrefixAlone(options))
    throw new UsageError(
      '--start starts the wrapper of a brand: give --brand-name as well, or leave --pipe-prefix out.',
    )
  if (!currentPlatform.tellsOwner && isPrefixAlone(options))
    throw new UsageError(
      '--pipe-prefix alone does not tell where the wrapper keeps the key by which it proves to be yours. Give --brand-name as well, and --vendor and --application where the brand has its own.',
    )
  return {
    brand,
    pid: readPid(options.pid),
    timeoutMs: readTimeout(options.timeout),
    startIfNeeded,
  }
}

function readPid(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new UsageError('--pid needs a process id, as service-pipe list prints it.')
  return Number(text)
}

function readTimeout(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const seconds = Number(text)
  if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > 86_400)
    throw new UsageError('--timeout needs a number of seconds above 0, at most 86400.')
  return Math.ceil(seconds * 1000)
}

/** @throws {UsageError} when it is no number of events */
export function readCount(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--count needs a whole number above 0.', 'watch')
  return Number(text)
}
