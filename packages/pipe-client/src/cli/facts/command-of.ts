import { UsageError } from '../usage-error.ts'
import { closestName } from './closest-name.ts'
import { allCommandFacts, type CommandFacts } from './command-facts.ts'

/**
 * Finds a command without regard to case.
 *
 * @throws {UsageError} when there is no such command; says which was probably meant
 */
export function commandOf(word: string): CommandFacts {
  const folded = word.toLowerCase()
  const facts = allCommandFacts.find(({ name }) => name === folded)
  if (facts) return facts
  if (word.includes('=')) throw new UsageError('The command comes before its arguments.')
  const names = allCommandFacts.map(({ name }) => name)
  const closest = closestName(word, names)
  throw new UsageError(`There is no such command.${closest === undefined ? '' : ` Did you mean ${closest}?`}`)
}
