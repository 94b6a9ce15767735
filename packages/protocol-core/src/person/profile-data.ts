import type { ArgsIssue } from '../errors/command-error.ts'
import { ParameterError } from '../errors/parameter-error.ts'
import { decodeJson } from '../frame/frame.ts'
import { findJsonProblem } from '../text/json-problem.ts'
import { findTextProblem, pathOf } from '../text/text-rules.ts'
import { readIsoDate } from './parse-date.ts'

/** How the date of an entry is written ([specification 2.3](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)). */
export const profileDateFormats = ['yyyy-MM-dd hh:mm:ss', 'yyyy-MM-dd hh:mm', 'yyyy-MM-dd'] as const

/** Most entries that one person may carry. */
export const maxProfileEntries = 10_000

/** A value that JSON can carry. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [member: string]: JsonValue }

/**
 * A profile-data entry ([specification 2.3](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)): every member is as the sender wrote it. `key`, `name`, `value`, `unit`,
 * `date`, `source` and `description` are known, and any may be missing or of another type; the sender may add others.
 */
export interface ProfileEntry {
  readonly [member: string]: JsonValue
}

/** A profile-data entry as a program of ours writes it. */
export interface WrittenProfileEntry extends ProfileEntry {
  /** Defined by the service so that the structured data can be used. */
  readonly key: string
}

const memberNames = ['key', 'name', 'value', 'unit', 'date', 'source', 'description'] as const
type MemberName = (typeof memberNames)[number]

const memberNameOf: ReadonlyMap<string, MemberName> = new Map(memberNames.map(name => [name, name]))

/**
 * Reads one profile-data entry. It is passed on as it was sent, with its members, their order and every value. Only a known
 * name in another case is put into the canonical spelling.
 *
 * @returns the entry, and an issue for each part that could not be kept so: numbers beyond 2^53 − 1, names that are
 *   integers, unsound text
 */
export function readProfileEntry(sent: ProfileEntry): {
  readonly entry: ProfileEntry
  readonly issues: readonly { readonly path: readonly string[]; readonly problem: string }[]
} {
  const { isCanonical, ambiguous } = findMembers(sent)
  const entry = isCanonical ? sent : spellCanonically(sent)
  const issues = [...ambiguous].map(name => ({
    path: [name],
    problem: 'is given twice with different values',
  }))
  const found = findJsonProblem(entry, true)
  return { entry, issues: found ? [...issues, { ...found, path: [...found.path] }] : issues }
}

/** Profile data that were read; the entries count only when nothing is wrong. */
interface ProfileReading {
  readonly entries: readonly ProfileEntry[] | undefined
  /** Parts that could not be kept as they were sent. */
  readonly issues: readonly ArgsIssue[]
  /** Tells why this is no list of entries. */
  readonly dropped?: ArgsIssue
}

/**
 * Reads profile data as programs in the field send them: a list of entries, or the JSON text of one. Missing, null and blank
 * are absent. Never throws.
 *
 * @param name of the argument, the beginning of each path
 */
export function readProfileData(name: string, value: unknown): ProfileReading {
  const unsound = typeof value === 'string' && findTextProblem(value, Number.POSITIVE_INFINITY)
  if (unsound) return { entries: undefined, issues: [{ path: name, problem: unsound }] }
  const list = typeof value === 'string' ? parseText(value) : (value ?? undefined)
  if (list === undefined) return { entries: undefined, issues: [] }
  const drop = (path: readonly PropertyKey[], problem: string) => ({
    entries: undefined,
    issues: [],
    dropped: { path: pathOf(path), problem },
  })
  if (!Array.isArray(list)) return drop([name], 'must be an array')
  if (list.length > maxProfileEntries)
    return { entries: undefined, issues: [{ path: name, problem: tooManyEntries }] }
  const entries: ProfileEntry[] = []
  const issues: ArgsIssue[] = []
  for (const [index, sent] of list.entries()) {
    if (!isProfileObject(sent)) return drop([name, index], 'must be an object')
    const read = readProfileEntry(sent)
    entries.push(read.entry)
    for (const { path, problem } of read.issues)
      issues.push({ path: pathOf([name, index, ...path]), problem })
  }
  return { entries, issues }
}

/** Problem of a longer list. */
export const tooManyEntries = `has more than ${maxProfileEntries} entries`

/**
 * Checks profile data that a program of ours writes: each entry has a key, and the known members the types and the dates of
 * the specification. Calls no code of the schema library.
 *
 * @param parameter name of the data, as the documentation of the caller spells it
 * @throws {ParameterError} when they are not JSON
 */
export function findWrittenIssues(parameter: string, name: string, data: unknown): readonly ArgsIssue[] {
  if (data === undefined) return []
  assertJson(parameter, data)
  const { entries = [], issues, dropped } = readProfileData(name, data)
  const ofMembers = entries.flatMap((entry, index) =>
    memberNames.flatMap(member => {
      const problem = findProblem(member, entry[member])
      return problem === undefined ? [] : [{ path: pathOf([name, index, member]), problem }]
    }),
  )
  return [...(dropped ? [dropped] : []), ...issues, ...ofMembers]
}

/** JSON would write an infinite number as null, with another meaning. */
function assertJson(parameter: string, value: unknown): void {
  try {
    JSON.stringify(value, (_name, member: unknown) => {
      if (typeof member === 'number' && !Number.isFinite(member))
        throw new RangeError('JSON has no such number.')
      return member
    })
  } catch {
    throw new ParameterError(parameter, 'JSON, without infinite numbers and cycles')
  }
}

/** Returns the text itself if it is not JSON, or nested too deep. */
function parseText(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return decodeJson(new TextEncoder().encode(text))
  } catch {
    return text
  }
}

function findMembers(entry: ProfileEntry) {
  const members = new Map<MemberName, unknown>()
  const ambiguous = new Set<MemberName>()
  /** Whether each known member has the specification's spelling. */
  let isCanonical = true
  for (const sent of Object.keys(entry)) {
    const name = canonicalName(sent)
    if (name === undefined) continue
    isCanonical &&= name === sent
    const value: unknown = entry[sent]
    if (members.has(name) && members.get(name) !== value) ambiguous.add(name)
    members.set(name, value)
  }
  return { isCanonical, ambiguous }
}

/** Assigns no member by name, so that one called `__proto__` stays an ordinary member. */
function spellCanonically(entry: ProfileEntry): ProfileEntry {
  return Object.fromEntries(
    Object.entries(entry).map(([sent, value]) => [canonicalName(sent) ?? sent, value]),
  )
}

function canonicalName(sent: string): MemberName | undefined {
  return memberNameOf.get(sent) ?? memberNameOf.get(sent.toLowerCase())
}

function findProblem(name: MemberName, value: unknown): string | undefined {
  if (value === undefined || value === null) return name === 'key' ? 'is missing' : undefined
  if (name === 'value')
    return typeof value === 'string' || typeof value === 'number' ? undefined : 'must be text or a number'
  if (typeof value !== 'string') return 'must be text'
  if (name === 'date' && value !== '' && !isProfileDate(value))
    return `must be written as one of ${profileDateFormats.join(', ')}`
  return undefined
}

function isProfileDate(value: string): boolean {
  const [, date] = /^(\d{4}-\d{2}-\d{2})(?: (?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?$/.exec(value) ?? []
  return date !== undefined && readIsoDate(date).date !== undefined
}

/** Whether a value can be an entry. */
export function isProfileObject(value: unknown): value is ProfileEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
