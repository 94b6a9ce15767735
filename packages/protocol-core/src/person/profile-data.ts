import * as z from 'zod/mini'
import { findJsonProblem } from '../text/json-problem.ts'
import { readIsoDate } from './parse-date.ts'

/** How the date of an entry may be written ([specification 2.3](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)). */
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

/** A profile-data entry ([specification 2.3](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)): every member is as the sender wrote it. */
export interface ProfileEntry {
  /** Defined by the service so that the structured data can be used. */
  readonly key: string
  /** `name`, `value`, `unit`, `date`, `source` and `description` are known; the sender may add others. */
  readonly [member: string]: JsonValue
}

const memberNames = ['key', 'name', 'value', 'unit', 'date', 'source', 'description'] as const
type MemberName = (typeof memberNames)[number]

const memberNameOf: ReadonlyMap<string, MemberName> = new Map(memberNames.map(name => [name, name]))

/**
 * One profile-data entry ([specification 2.3](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)). Its known members are checked; it is passed on as it was sent, with members
 * of the sender's own, their order and every value. What could not be kept so is refused: numbers beyond 2^53 − 1, names
 * that are integers, unsound text. Only a known name in another case is put into the canonical spelling.
 */
export const profileEntrySchema = z
  .pipe(
    z.custom<ProfileEntry>(isObject, { error: 'must be an object' }),
    z.transform((entry, context): ProfileEntry => {
      const { members, isCanonical, ambiguous } = findMembers(entry)
      const addIssue = (path: readonly string[], message: string) =>
        context.issues.push({ code: 'custom', path: [...path], message, input: entry })
      for (const name of ambiguous) addIssue([name], 'is given twice with different values')
      for (const name of memberNames) {
        const problem = findProblem(name, members.get(name))
        if (problem !== undefined) addIssue([name], problem)
      }
      const passed = isCanonical ? entry : spellCanonically(entry, members.get('key'))
      const { path, problem } = findJsonProblem(passed, true) ?? {}
      if (problem) addIssue(path ?? [], problem)
      return passed
    }),
  )
  .check(
    z.meta({
      description: 'A profile-data entry; further members of the sender’s own choosing are kept.',
      type: 'object',
      required: ['key'],
      properties: {
        key: {
          type: 'string',
          description: 'Defined by the service so that the structured data can be used',
        },
        name: { type: ['string', 'null'], description: 'Display name; may equal key' },
        value: { type: ['string', 'number', 'null'] },
        unit: { type: ['string', 'null'], description: 'Unit of the value, if any' },
        date: { type: ['string', 'null'], description: profileDateFormats.join(' | ') },
        source: { type: ['string', 'null'], description: 'Source of the data' },
        description: { type: ['string', 'null'], description: 'Optional text or comment' },
      },
    }),
  )

/** All profile data of one person, in the sender's order. */
export const profileDataSchema = z
  .array(profileEntrySchema, { error: 'must be an array' })
  .check(z.maxLength(maxProfileEntries, { error: `has more than ${maxProfileEntries} entries` }))

interface FoundMembers {
  readonly members: ReadonlyMap<MemberName, unknown>
  /** Whether each known member has the specification's spelling. */
  readonly isCanonical: boolean
  readonly ambiguous: Iterable<MemberName>
}

function findMembers(entry: ProfileEntry): FoundMembers {
  const members = new Map<MemberName, unknown>()
  const ambiguous = new Set<MemberName>()
  let isCanonical = true
  for (const sent of Object.keys(entry)) {
    const name = canonicalName(sent)
    if (name === undefined) continue
    isCanonical &&= name === sent
    const value: unknown = entry[sent]
    if (members.has(name) && members.get(name) !== value) ambiguous.add(name)
    members.set(name, value)
  }
  return { members, isCanonical, ambiguous }
}

/** Assigns no member by name, so that one called `__proto__` stays an ordinary member. */
function spellCanonically(entry: ProfileEntry, key: unknown): ProfileEntry {
  const spelled = Object.entries(entry).map(([sent, value]) => [canonicalName(sent) ?? sent, value] as const)
  return { ...Object.fromEntries(spelled), key: String(key) }
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

function isObject(value: unknown): value is ProfileEntry {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
