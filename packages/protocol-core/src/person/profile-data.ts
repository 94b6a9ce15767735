import * as z from 'zod/mini'
import type { ArgsIssue } from '../errors/command-error.ts'
import { isObject, ParameterError } from '../errors/parameter-error.ts'
import { parseJson } from '../frame/parse-json.ts'
import { described, withFacts } from '../schema/facts.ts'
import { looseObject } from '../schema/object.ts'
import { readBy } from '../schema/read.ts'
import { missingOr } from '../schema/text-field.ts'
import { foldMembers, indexNames } from '../text/fold-names.ts'
import { findJsonProblem } from '../text/json-problem.ts'
import { findTextProblem } from '../text/text-rules.ts'
import { readIsoDate } from './parse-date.ts'
import type { ProfileEntry } from './person-types.ts'

/** How the date of an entry is written (spec 2.3). */
const dateFormats = ['yyyy-MM-dd hh:mm:ss', 'yyyy-MM-dd hh:mm', 'yyyy-MM-dd']

/** Most entries that one person may carry. */
export const maxProfileEntries = 10_000

const text = z.string({ error: missingOr('must be text') })

const isProfileDate = (written: string) => {
  const [, date] = /^(\d{4}-\d{2}-\d{2})(?: (?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?$/.exec(written) ?? []
  return date !== undefined && readIsoDate(date).date !== undefined
}

const dateText = text.check(
  z.refine(written => written === '' || isProfileDate(written), {
    error: `must be written as one of ${dateFormats.join(', ')}`,
  }),
)

/** The known members, as a program of ours writes them. */
const members = {
  key: described(text, 'Defined by the service so that the structured data can be used'),
  name: described(z.nullish(text), 'Display name; may equal key'),
  value: described(
    z.nullish(z.union([z.string(), z.number()], { error: 'must be text or a number' })),
    'Text or number; in a unit if there is one',
  ),
  unit: described(z.nullish(text), 'Unit of the value, if any'),
  date: described(z.nullish(dateText), dateFormats.join(' | ')),
  source: described(z.nullish(text), 'Source of the data'),
  description: described(z.nullish(text), 'Optional text or comment'),
}

const index = indexNames(Object.keys(members))

/** Puts the known names into the specification's spelling. Assigns no member by name, so that one called `__proto__` stays an ordinary one. */
const spelledEntry = z.pipe(
  z.custom<ProfileEntry>(isObject, { error: 'must be an object' }),
  z.transform((sent, context): ProfileEntry => {
    const nameOf = (name: string) => index.get(name) ?? index.get(name.toLowerCase()) ?? name
    if (Object.keys(sent).every(name => nameOf(name) === name)) return sent
    for (const { path, problem } of foldMembers(sent, index).issues)
      context.issues.push({ code: 'custom', path: [path], message: problem, input: sent })
    return Object.fromEntries(Object.entries(sent).map(([name, value]) => [nameOf(name), value]))
  }),
)

/** Numbers beyond 2^53 − 1, names that are integers and unsound text could not be kept as they were sent. */
const keptExactly = z.check<unknown>(
  ({ value, issues }) => {
    const { path, problem } = (isObject(value) && findJsonProblem(value, true)) || {}
    if (problem) issues.push({ code: 'custom', path: [...(path ?? [])], message: problem, input: value })
  },
  { when: () => true },
)

const notTooMany = z.maxLength(maxProfileEntries, { error: `has more than ${maxProfileEntries} entries` })
const listSchema = z.array(z.unknown(), { error: 'must be an array' }).check(notTooMany)

/** A list that is too long is not read. */
function listOf<Entry extends z.ZodMiniType<unknown, unknown>>(entry: Entry) {
  const entries = z.array(entry)
  return withFacts(z.pipe(listSchema, entries), { sent: entries.check(notTooMany) })
}

/** An entry that a program of ours writes. */
export const writtenEntrySchema: z.ZodMiniType<unknown, unknown> = looseObject(members)
const spelled: z.ZodMiniType = spelledEntry
const writtenDataSchema = listOf(z.pipe(spelled, writtenEntrySchema).check(keptExactly))

/**
 * One profile-data entry (spec 2.3). It is passed on as it was sent, with its members, their order and every value.
 * Only a known name in another case is put into the canonical spelling.
 */
export const profileEntrySchema = withFacts(spelledEntry.check(keptExactly), {
  description:
    'A profile-data entry. Further members of the sender’s own choosing are kept, and so are members of another type.',
  sent: writtenEntrySchema,
})

/** All profile data of one person, in the sender's order. */
export const profileDataSchema = listOf(profileEntrySchema)

const objectsSchema = z.array(z.custom<object>(isObject, { error: 'must be an object' }))

/** Profile data that were read; the entries count only when nothing is wrong. */
interface ProfileReading {
  readonly entries?: ProfileEntry[] | undefined
  /** Parts that could not be kept as they were sent. */
  readonly issues: readonly ArgsIssue[]
  /** Tells why this is no list of entries. */
  readonly dropped?: ArgsIssue | undefined
}

/**
 * Reads profile data as programs in the field send them: a list of entries, or the JSON text of one. Missing, null and blank
 * are absent. Never throws.
 *
 * @param name of the argument, the beginning of each path
 */
export function readProfileData(name: string, value: unknown): ProfileReading {
  const unsound = typeof value === 'string' && findTextProblem(value, Number.POSITIVE_INFINITY)
  if (unsound) return { issues: [{ path: name, problem: unsound }] }
  const list = typeof value === 'string' ? parseText(value) : (value ?? undefined)
  if (list === undefined) return { issues: [] }
  const [wrong] = placedIn(name, readBy(listSchema, list).issues)
  if (wrong) return Array.isArray(list) ? { issues: [wrong] } : { issues: [], dropped: wrong }
  const [dropped] = placedIn(name, readBy(objectsSchema, list).issues)
  if (dropped) return { issues: [], dropped }
  const { value: entries, issues } = readBy(profileDataSchema, list)
  return { entries, issues: placedIn(name, issues) }
}

/**
 * Checks profile data that a program of ours writes: each entry has a key, and the known members the types and the dates of
 * the specification.
 *
 * @param parameter name of the data, as the documentation of the caller spells it
 * @throws {ParameterError} when they are not JSON
 */
export function findWrittenIssues(parameter: string, name: string, data: unknown): readonly ArgsIssue[] {
  if (data === undefined) return []
  assertJson(parameter, data)
  return findEntryIssues(name, data)
}

/** Finds entries that are not as the specification has them, see {@link findWrittenIssues}. */
export function findEntryIssues(name: string, data: unknown): readonly ArgsIssue[] {
  return data === undefined ? [] : placedIn(name, readBy(writtenDataSchema, data).issues)
}

function placedIn(name: string, issues: readonly ArgsIssue[] = []): ArgsIssue[] {
  return issues.map(({ path, problem }) => ({ path: path === '' ? name : `${name}.${path}`, problem }))
}

/** JSON would write an infinite number as null and a promise as an empty object, with another meaning. */
function assertJson(parameter: string, value: unknown): void {
  let isPromised = false
  try {
    JSON.stringify(value, (_name, member: unknown) => {
      isPromised ||= typeof Object(member).then === 'function'
      if (isPromised || (typeof member === 'number' && !Number.isFinite(member)))
        throw new RangeError('JSON has no such value.')
      return member
    })
  } catch {
    const problem = isPromised ? 'holds a promise: await it.' : undefined
    throw new ParameterError(parameter, 'JSON, without infinite numbers and cycles', problem)
  }
}

/** Returns the text itself if it is not JSON, or nested too deep. */
function parseText(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return parseJson(text)
  } catch {
    return text
  }
}
