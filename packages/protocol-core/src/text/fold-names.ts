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
  return foldIndexedNames(entries, indexNames(names))
}

/** Known names, to be matched many times. */
export type NameIndex = ReadonlyMap<string, string>

/** Prepares names for {@link foldIndexedNames}. */
export function indexNames(names: readonly string[]): NameIndex {
  return new Map(names.map(name => [name.toLowerCase(), name]))
}

/** Like {@link foldNames}, with names that were prepared once. */
export function foldIndexedNames<Value>(
  entries: Iterable<readonly [string, Value]>,
  index: NameIndex,
): FoldedNames<Value> {
  // Only names of the index become members, so that none can be one that objects treat in a special way.
  const known: Record<string, Value> = {}
  const unknown: string[] = []
  const ambiguous = new Set<string>()
  for (const [sent, value] of entries) {
    const name = index.get(sent) ?? index.get(sent.toLowerCase())
    if (name === undefined) unknown.push(sent)
    else if (!Object.hasOwn(known, name)) known[name] = value
    else if (!isSame(known[name], value)) ambiguous.add(name)
  }
  return {
    known,
    unknown,
    issues: [...ambiguous].map(path => ({ path, problem: 'is given twice with different values' })),
  }
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))
}
