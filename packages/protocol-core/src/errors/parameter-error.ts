import { ServiceLinkError } from './service-link-error.ts'

/** An argument or a member has the wrong kind, or is not known. Only a caller without types can cause it. */
export class ParameterError extends ServiceLinkError<'ERR_PARAMETER'> {
  readonly code = 'ERR_PARAMETER'
  /** The parameter, as a dotted path: `options.clock`. */
  readonly parameter: string
  /** The expected kind, such as `a function`; for a property that is not known, the known names. */
  readonly expected: string

  constructor(parameter: string, expected: string, problem = `must be ${expected}`) {
    super(`The parameter ${parameter} ${problem}${problem.endsWith('?') ? '' : '.'}`)
    this.parameter = parameter
    this.expected = expected
  }
}

const kinds = {
  text: 'text',
  number: 'a finite number',
  anyNumber: 'a number',
  boolean: 'true or false',
  function: 'a function',
  object: 'an object',
  closed: 'an object',
  list: 'a list',
  any: 'any value',
} as const

/**
 * Kind of a value; with `?` it may be left out. A list names the allowed values. An `object` may have members that are
 * not listed, such as a store that the caller implements; a `closed` one may not, such as options, queries and data.
 * `any` is for a member that is checked elsewhere.
 */
export type ParameterKind = keyof typeof kinds | `${keyof typeof kinds}?` | readonly (string | undefined)[]

/**
 * Checks an argument of a public function before the function uses it. A caller without types may give a property that
 * nothing reads, or a private key in place of the options, and an error of the runtime could quote the key. This error
 * never quotes a value.
 *
 * @param name of the parameter, as the documentation spells it
 * @param members kinds of an object's members; all of them if the kind is `closed`
 * @param synonyms see {@link findNearName}
 * @throws {ParameterError} naming the parameter, or the member, that is of another kind or not known
 * @example
 * ```ts
 * import { assertParameter } from '@service-link/protocol-core'
 *
 * const options: unknown = { timeoutMs: 1000 }
 * assertParameter('options', options, 'closed?', { timeoutMs: 'number?' })
 * ```
 */
export function assertParameter(
  name: string,
  value: unknown,
  kind: ParameterKind,
  members: Readonly<Record<string, ParameterKind>> = {},
  synonyms: Synonyms = {},
): void {
  if (!isOfKind(value, kind)) throw new ParameterError(name, describeKind(kind))
  if (value === undefined) return
  if (kind === 'closed' || kind === 'closed?')
    assertKnown(name, Object.keys(Object(value)), members, synonyms)
  for (const [member, needed] of Object.entries(members))
    assertParameter(`${name}.${member}`, Object(value)[member], needed)
}

/** Most names that a message lists. */
const maxListedNames = 12

function assertKnown(
  name: string,
  given: readonly string[],
  members: Readonly<Record<string, unknown>>,
  synonyms: Synonyms,
): void {
  const unknown = given.find(property => !Object.hasOwn(members, property))
  if (unknown === undefined) return
  const known = Object.keys(members)
  const isName = namePattern.test(unknown)
  const near = findNearName(unknown, known, synonyms)
  const parameter = isName ? `${name}.${unknown}` : name
  const listed = known.length > 0 && known.length <= maxListedNames ? `. Known: ${known.join(', ')}` : ''
  const hint = near === undefined ? listed : `. Did you mean ${near}?`
  const problem = isName ? 'is not known' : 'has a property that is not known'
  throw new ParameterError(parameter, near ?? known.join(', '), `${problem}${hint}`)
}

/** Whether a text is a name. It may come from a caller who has put a key or a person there. */
const namePattern = /^[A-Za-z_$][\w$-]{0,40}$/

/** Other words for known names, in lower case, without `_` and `-`. */
type Synonyms = Readonly<Record<string, string>>

/**
 * Finds the known name that was meant: the same letters in another case, else a synonym, else the nearest name, if at
 * most two letters differ.
 */
export function findNearName(
  name: string,
  known: readonly string[],
  synonyms: Synonyms = {},
): string | undefined {
  if (!namePattern.test(name)) return undefined
  const folded = foldName(name)
  const [nearest] = known
    .map(one => ({ one, distance: editDistance(folded, foldName(one)) }))
    .filter(({ one, distance }) => distance <= Math.min(2, one.length / 2, name.length / 2))
    .sort((a, b) => a.distance - b.distance)
  const synonym = Object.hasOwn(synonyms, folded) ? synonyms[folded] : undefined
  return nearest?.distance === 0 ? nearest.one : (synonym ?? nearest?.one)
}

function foldName(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

/** The fewest letters to insert, delete or replace so that one text becomes the other. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1]
    for (const [at, other] of [...to].entries())
      next.push(
        Math.min((next[at] ?? 0) + 1, (row[at + 1] ?? 0) + 1, (row[at] ?? 0) + (letter === other ? 0 : 1)),
      )
    row = next
  }
  return row.at(-1) ?? 0
}

function isOfKind(value: unknown, kind: ParameterKind): boolean {
  if (typeof kind !== 'string') return kind.some(one => one === value)
  if (kind.endsWith('?') && value === undefined) return true
  switch (kind.replace('?', '')) {
    case 'any':
      return true
    case 'text':
      return typeof value === 'string'
    case 'number':
      return Number.isFinite(value)
    case 'anyNumber':
      return typeof value === 'number'
    case 'list':
      return Array.isArray(value)
    case 'object':
    case 'closed':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === kind.replace('?', '')
  }
}

function describeKind(kind: ParameterKind): string {
  if (typeof kind !== 'string') return kind.filter(one => one !== undefined).join(' or ')
  const words: Readonly<Record<string, string>> = kinds
  return words[kind.replace('?', '')] ?? kind
}
