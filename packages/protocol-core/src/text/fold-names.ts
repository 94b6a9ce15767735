import type { ArgsIssue } from '../errors/command-error.ts'

/** What {@link foldNames} found: the known names with their values, and the names that contradict each other. */
export interface FoldedNames<Value> {
  /** Known name, in its canonical spelling → value. */
  readonly known: Readonly<Record<string, Value>>
  /** Names, as sent, that no known name matches. */
  readonly unknown: readonly string[]
  /** One issue for each known name that came in two spellings with different values. */
  readonly issues: readonly ArgsIssue[]
}

/**
 * Matches names without regard to case (design: person): the specification itself spells `dateofbirth` and
 * `dateOfBirth`. Two spellings of one name are accepted when their values are equal and refused as ambiguous otherwise.
 *
 * @param entries names as sent, with their values
 * @param names the known names in their canonical spelling
 * @example
 * ```ts
 * import { foldNames } from '@service-link/protocol-core'
 *
 * foldNames([['DateOfBirth', '1980-04-03']], ['dateofbirth']).known // { dateofbirth: '1980-04-03' }
 * ```
 */
export function foldNames<Value>(
  entries: Iterable<readonly [string, Value]>,
  names: readonly string[],
): FoldedNames<Value> {
  const index = indexNames(names)
  const found: Finding<Value> = { known: {}, unknown: [], issues: [] }
  for (const [sent, value] of entries) take(found, index, sent, value)
  return found
}

/** Known names, to be matched many times. */
export type NameIndex = ReadonlyMap<string, string>

/** Prepares names for {@link foldMembers}. */
export function indexNames(names: readonly string[]): NameIndex {
  return new Map(names.flatMap(name => [[name.toLowerCase(), name] as const, [name, name] as const]))
}

const nothing: readonly never[] = []

/**
 * Like {@link foldNames}, of the members of an object, with names that were prepared once. An object whose members are all
 * known and spelled canonically, as most are, is not copied.
 */
export function foldMembers(value: object, index: NameIndex): FoldedNames<unknown> {
  const members = value as Readonly<Record<string, unknown>>
  const sent = Object.keys(members)
  if (sent.every(name => index.get(name) === name))
    return { known: members, unknown: nothing, issues: nothing }
  const found: Finding<unknown> = { known: {}, unknown: [], issues: [] }
  for (const name of sent) take(found, index, name, members[name])
  return found
}

/** Only names of the index become members of `known`, so that none can be one that objects treat in a special way. */
interface Finding<Value> {
  readonly known: Record<string, Value>
  readonly unknown: string[]
  readonly issues: ArgsIssue[]
}

function take<Value>(found: Finding<Value>, index: NameIndex, sent: string, value: Value): void {
  const name = index.get(sent) ?? index.get(sent.toLowerCase())
  if (name === undefined) found.unknown.push(sent)
  else if (!Object.hasOwn(found.known, name)) found.known[name] = value
  else if (!isSame(found.known[name], value) && found.issues.every(({ path }) => path !== name))
    found.issues.push({ path: name, problem: 'is given twice with different values' })
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}
