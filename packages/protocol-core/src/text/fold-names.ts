import type { ArgsIssue } from '../errors/command-error.ts'

/** Result of {@link foldNames}: the known names with their values, and the names that contradict each other. */
export interface FoldedNames<Value> {
  /** Known name, in its canonical spelling → value. */
  readonly known: Readonly<Record<string, Value>>
  /** Names, as sent, that no known name matches. */
  readonly unknown: readonly string[]
  /** One issue for each known name with two spellings and different values. */
  readonly issues: readonly ArgsIssue[]
}

/** Known names, prepared for many matches. */
export type NameIndex = ReadonlyMap<string, string>

/** Prepares names, in their canonical spelling, for {@link foldNames}. */
export function indexNames(names: readonly string[]): NameIndex {
  const spellings = (name: string) => [
    name.toLowerCase(),
    name.replace(/^./, first => first.toUpperCase()),
    name,
  ]
  return new Map(names.flatMap(name => spellings(name).map(spelling => [spelling, name] as const)))
}

const nothing: readonly never[] = []

/**
 * Like {@link foldNames}, for the members of an object. Does not copy an object whose members are
 * all known and spelled canonically, as most are.
 */
export function foldMembers(value: object, index: NameIndex): FoldedNames<unknown> {
  const members = value as Readonly<Record<string, unknown>>
  const sent = Object.keys(members)
  if (sent.every(name => index.get(name) === name))
    return { known: members, unknown: nothing, issues: nothing }
  return foldNames(Object.entries(members), index)
}

/**
 * Matches names without regard to case (design: person): the specification itself spells `dateofbirth` and
 * `dateOfBirth`. Two spellings of one name are accepted when their values are equal and refused as ambiguous otherwise.
 *
 * The work is in proportion to the input: each value is written as JSON at most once, and not at all once its name is
 * ambiguous.
 *
 * @param entries names as sent, with their values
 * @param index the known names
 */
export function foldNames<Value>(
  entries: Iterable<readonly [string, Value]>,
  index: NameIndex,
): FoldedNames<Value> {
  // Only names of the index become members, so `__proto__` never does.
  const known: Record<string, Value> = {}
  const unknown: string[] = []
  const issues: ArgsIssue[] = []
  const jsonOf = new Map<string, string>()

  function isKept(name: string, value: Value): boolean {
    const kept = known[name]
    if (kept === value) return true
    if (typeof kept !== 'object' || typeof value !== 'object') return false
    const json = jsonOf.get(name) ?? JSON.stringify(kept)
    jsonOf.set(name, json)
    return json === JSON.stringify(value)
  }

  for (const [sent, value] of entries) {
    const name = index.get(sent) ?? index.get(sent.toLowerCase())
    if (name === undefined) unknown.push(sent)
    else if (!Object.hasOwn(known, name)) known[name] = value
    else if (issues.every(({ path }) => path !== name) && !isKept(name, value))
      issues.push({ path: name, problem: 'is given twice with different values' })
  }
  return { known, unknown, issues }
}
