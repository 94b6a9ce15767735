import { ArgsError } from '../errors/command-error.ts'
import type { Person, SelectablePerson } from '../person/person.ts'
import { fieldsIn, personFieldNames } from '../person/person-fields.ts'
import { findWrittenIssues, readProfileData } from '../person/profile-data.ts'
import { type ReadFieldsOptions, readPersonFields, writePersonFields } from '../person/read-person.ts'
import { trimText } from '../text/text-rules.ts'
import type { SelectPersonArgs } from './select-person-schemas.ts'

const required = fieldsIn('pipe').flatMap(row => (row.required?.includes('pipe') ? [row.field] : []))
const pipeFields = personFieldNames('pipe', required)
/** Read by the schema. */
const textFields = pipeFields.filter(({ field }) => field !== 'customId')

/**
 * Turns the arguments of `selectperson` into the one person model.
 *
 * @throws {ArgsError} when names are missing, no identifier is given, or a text cannot be kept
 */
export function personFromArgs(args: SelectPersonArgs, options: ReadFieldsOptions): Person {
  const { profiledata, userid, id, customid, ...texts } = args
  const { person, issues } = readPersonFields(texts, textFields, options)
  const { entries, issues: entryIssues, dropped } = readProfileData('profiledata', profiledata)
  const customId = customid ?? id
  const all = [...issues, ...entryIssues]
  if (customId === undefined && userid === undefined)
    all.push({ path: 'customid', problem: 'is missing (customid, id or userid is needed)' })
  else if (customId === undefined && userid === 0)
    all.push({ path: 'customid', problem: 'is missing (a new user, userid 0, needs it)' })
  if (all.length > 0) throw new ArgsError(all)
  if (customId !== undefined) person.customId = customId
  if (userid !== undefined) person.userId = userid
  if (entries !== undefined) person.profileData = [...entries]
  if (dropped) options.onDropped?.(dropped)
  return person
}

/**
 * Turns a person into the arguments of `selectperson`; leaves out fields that the pipe does not carry.
 *
 * @throws {ParameterError} when a field is not known or is of another kind, or the profile data are not JSON
 * @throws {ArgsError} when a name or both identifiers are missing, the date is not ISO 8601, a text cannot be carried, or an
 *   entry of the profile data is not as the specification has it; names the fields of `Person`
 */
export function argsFromPerson(person: SelectablePerson): Readonly<Record<string, unknown>> {
  const { values, issues } = writePersonFields('person', person, pipeFields)
  const { customId, userId, profileData } = person
  const all = [...issues, ...findWrittenIssues('person.profileData', 'profileData', profileData)]
  if (!trimText(customId ?? '') && !userId) {
    const who = userId === 0 ? 'a new user, userId 0, needs it' : 'customId or userId is needed'
    all.push({ path: 'customId', problem: `is missing (${who})` })
  }
  if (userId !== undefined && !(Number.isSafeInteger(userId) && userId >= 0))
    all.push({ path: 'userId', problem: 'must be a whole number, 0 or more' })
  if (all.length > 0) throw new ArgsError(all, 'Person')
  return { ...Object.fromEntries(values), userid: userId, profiledata: profileData }
}
