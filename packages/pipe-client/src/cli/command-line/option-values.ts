import { type Brand, defineBrand } from '@service-link/protocol-core/brand'
import { isServiceLinkError } from '@service-link/protocol-core/errors'
import { isOptionName, optionsOf } from '../facts/option-facts.ts'
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

/** @throws {UsageError} when no pipe can have a name that begins so */
export function readBrand(pipePrefix: string | undefined): Brand {
  try {
    return defineBrand(pipePrefix === undefined ? {} : { pipePrefix })
  } catch (error) {
    if (!isServiceLinkError(error)) throw error
    throw new UsageError('--pipe-prefix needs at most 32 letters, digits, underscores or hyphens.')
  }
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
  if (startIfNeeded && options['pipe-prefix'] !== undefined)
    throw new UsageError(
      '--start starts the wrapper whose pipe begins with servicepipe; leave --pipe-prefix out.',
    )
  return {
    brand: readBrand(options['pipe-prefix']),
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
