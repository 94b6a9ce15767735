import { assertParameter } from '@service-link/protocol-core/errors'
import { PipeStartError } from '../errors/pipe-error.ts'

/**
 * Makes sure that each argument can arrive as it is. No operating system passes a NUL character on, and half a character would
 * arrive as another: a person must not get another name.
 *
 * @throws {ParameterError} when one is no text
 * @throws {PipeStartError} which names the first that cannot by its place, counted from 1, and never its text
 */
export function checkArguments(args: readonly string[]): void {
  for (const [index, argument] of args.entries()) {
    assertParameter(`args[${index}]`, argument, 'text')
    if (argument.includes('\0'))
      throw new PipeStartError(
        `Argument ${index + 1} has a NUL character, which no program can be given. Nothing was started.`,
      )
    if (!argument.isWellFormed())
      throw new PipeStartError(`Argument ${index + 1} has half a character (UTF-16). Nothing was started.`)
  }
}
