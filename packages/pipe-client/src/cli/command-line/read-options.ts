import { parseArgs } from 'node:util'
import { closestName } from '../facts/closest-name.ts'
import { isOptionName, type OptionFacts, type OptionName, optionFacts } from '../facts/option-facts.ts'
import { UsageError } from '../usage-error.ts'

/** A command line, cut into options and the other words. */
export interface ReadOptions {
  /** Options that were given; a switch has an empty text. */
  readonly options: Readonly<Partial<Record<OptionName, string>>>
  readonly words: readonly string[]
}

const takesValue = (name: OptionName) => 'value' in (optionFacts[name] satisfies OptionFacts)

const parserOptions = Object.fromEntries(
  Object.keys(optionFacts)
    .filter(isOptionName)
    .map(name => [name, { type: takesValue(name) ? ('string' as const) : ('boolean' as const) }]),
)

/**
 * Cuts a command line into options and the other words, in any order.
 *
 * @throws {UsageError} on an option that there is not, one without its value, or one that is given twice
 */
export function readOptions(argv: readonly string[]): ReadOptions {
  const { tokens } = parseArgs({
    args: [...argv],
    // Its own messages repeat what was typed.
    strict: false,
    tokens: true,
    allowPositionals: true,
    options: { ...parserOptions, help: { type: 'boolean', short: 'h' } },
  })
  const options: Partial<Record<OptionName, string>> = {}
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const { name, value } = token
    if (!isOptionName(name)) throw new UsageError(`There is no such option.${suggest(name)}`)
    if (takesValue(name) && !value) throw new UsageError(`--${name} needs a value.`)
    if (!takesValue(name) && value !== undefined) throw new UsageError(`--${name} takes no value.`)
    if (name !== 'help' && name in options) throw new UsageError(`--${name} is given twice.`)
    options[name] = value ?? ''
  }
  return { options, words }
}

function suggest(name: string): string {
  const closest = closestName(name, Object.keys(optionFacts))
  return closest === undefined ? '' : ` Did you mean --${closest}?`
}
