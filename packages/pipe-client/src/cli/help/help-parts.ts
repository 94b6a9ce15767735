import type { CommandFacts } from '../facts/command-facts.ts'
import { isOptionName, type OptionFacts, optionFacts } from '../facts/option-facts.ts'
import { wrapText } from './wrap-text.ts'

/** What follows a command's name in its usage. */
export function argumentWords({ args, takes }: CommandFacts): readonly string[] {
  if (takes !== undefined) return [takes]
  return args.map(({ name, isRequired }) => (isRequired ? `${name}=…` : `[${name}=…]`))
}

/** Two columns: what to type, and what it means. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  const indent = ' '.repeat(width + 4)
  return rows
    .map(([left, right]) => `  ${`${left.padEnd(width)}  ${wrapText(right, indent)}`.trimEnd()}`)
    .join('\n')
}

/** The options of these names, with what they mean. */
export function optionLines(names: readonly string[]): string {
  return columns(names.filter(isOptionName).map(name => [spellOption(name), optionFacts[name].summary]))
}

function spellOption(name: keyof typeof optionFacts): string {
  const { value }: OptionFacts = optionFacts[name]
  const spelled = name === 'help' ? '-h, --help' : `--${name}`
  return value === undefined ? spelled : `${spelled} <${value}>`
}

/** The last paragraph of every help. */
export const exitCodesText = `Data goes to standard output as JSON, text for people to standard error.
Exit codes: 0 done, 2 wrong usage, 3 no wrapper is running, 4 the wrapper refused or did
not answer.
`
