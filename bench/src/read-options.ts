import { parseArgs } from 'node:util'
import type { MeasuredPath } from './report/row.ts'

/** What the command line asks for. */
export type BenchOptions =
  | { readonly kind: 'help' }
  | { readonly kind: 'run'; readonly paths: readonly MeasuredPath[] }
  | { readonly kind: 'mistake'; readonly sentence: string }

/** Reads the arguments after `npm run bench --`. */
export function readOptions(argv: readonly string[], known: readonly MeasuredPath[]): BenchOptions {
  const { values, tokens } = parseArgs({
    // npm takes the first -- away, other ways of starting do not.
    args: argv[0] === '--' ? argv.slice(1) : [...argv],
    options: { only: { type: 'string', multiple: true }, help: { type: 'boolean', short: 'h' } },
    strict: false,
    tokens: true,
  })
  if (values.help) return { kind: 'help' }
  const unknown = tokens.find(token => token.kind !== 'option' || token.name !== 'only')
  if (unknown)
    return { kind: 'mistake', sentence: `Argument ${unknown.index + 1} means nothing here. See --help.` }
  const names = (values.only ?? []).flatMap(value => String(value).split(','))
  const missing = names.find(name => !known.some(path => path.name === name))
  if (missing !== undefined)
    return { kind: 'mistake', sentence: `There is no path "${missing}". Known: ${listNames(known)}.` }
  return { kind: 'run', paths: names.length === 0 ? known : known.filter(path => names.includes(path.name)) }
}

/** What `--help` prints. */
export function helpText(known: readonly MeasuredPath[]): string {
  const width = Math.max(...known.map(({ name }) => name.length))
  return `npm run bench [-- --only=<name>[,<name>]]

Builds the packages, measures them beside their floors and peers, prints a table and writes bench/results.json.

${known.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`).join('\n')}

The columns are explained in bench/README.md. Exit code 0 also when a goal is missed; 2 when nothing was measured.
`
}

function listNames(known: readonly MeasuredPath[]): string {
  return known.map(({ name }) => name).join(', ')
}
