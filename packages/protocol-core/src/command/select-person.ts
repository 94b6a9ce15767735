import * as z from 'zod/mini'
import { ArgsError } from '../errors/command-error.ts'
import { type Person, personFieldNames, readPersonFields } from '../person/person.ts'
import { profileDataSchema } from '../person/profile-data.ts'
import { givenText, missingOr, optionalText, optionalWireInteger } from '../text/text-field.ts'

/** Arguments of `selectperson` as they travel ([specification 4.5](https://github.com/service-link/service-link/blob/main/docs/reference/pipe.md)), under their canonical names. */
export const selectPersonArgsSchema = z
  .object({
    id: optionalText.check(z.describe('Obsolete; interpreted as customid, to which it loses')),
    customid: optionalText.check(z.describe('Id of the person in the partner’s system')),
    userid: optionalWireInteger.check(
      z.refine(id => id === undefined || id >= 0, { error: 'must not be negative' }),
      z.describe('Service user id; 0 tells the service that this is a new user'),
    ),
    firstname: optionalText.check(z.describe('First name, or names')),
    lastname: optionalText.check(z.describe('Last name')),
    email: optionalText.check(z.describe('E-mail address')),
    address: optionalText.check(z.describe('Street address')),
    phonehome: optionalText.check(z.describe('Phone number at home')),
    phonework: optionalText.check(z.describe('Phone number at work')),
    mobile: optionalText.check(z.describe('Mobile phone number')),
    country: optionalText.check(z.describe('Country, as the sender writes it')),
    zipcode: optionalText.check(z.describe('Postal code')),
    location: optionalText.check(z.describe('Town or place')),
    gender: optionalText.check(z.describe('female, male, F or M, in any case')),
    dateofbirth: optionalText.check(z.describe('yyyy-MM-dd; else as the wrapper’s culture writes a date')),
    source: optionalText.check(z.describe('Not in the specification; legacy senders give it')),
    profiledata: z
      .pipe(
        z.nullish(profileDataSchema),
        z.transform(entries => entries ?? undefined),
      )
      .check(z.describe('Profile-data entries')),
  })
  .check(
    z.meta({
      required: ['firstname', 'lastname'],
      anyOf: [{ required: ['customid'] }, { required: ['id'] }, { required: ['userid'] }],
    }),
  )

/** See {@link selectPersonArgsSchema}. */
export type SelectPersonArgs = z.output<typeof selectPersonArgsSchema>

/** Answer to `selectperson`. */
export const selectPersonReplySchema = z.object({
  status: z.enum(['selected', 'created']).check(z.describe('Whether the person was there, or was created')),
  userid: z.int({ error: missingOr('must be an integer') }).check(z.describe('Service user id')),
  customid: givenText.check(z.describe('Id of the person in the partner’s system')),
})

/** See {@link selectPersonReplySchema}. */
export type SelectPersonReply = z.output<typeof selectPersonReplySchema>

const pipeFields = personFieldNames('pipe', ['firstname', 'lastname'])

/**
 * Turns the arguments of `selectperson` into the one person model.
 *
 * @param culture BCP 47 tag for a date that is not ISO 8601
 * @throws {ArgsError} when names are missing, no identifier is given, or a date or gender cannot be read
 */
export function personFromArgs(args: SelectPersonArgs, culture: string): Person {
  const { profiledata, userid, id, customid, ...texts } = args
  const { person, issues } = readPersonFields(texts, pipeFields, culture)
  const customId = customid ?? id
  const all = [...issues]
  if (customId === undefined && userid === undefined)
    all.push({ path: 'customid', problem: 'is missing (customid, id or userid is needed)' })
  else if (customId === undefined && userid === 0)
    all.push({ path: 'customid', problem: 'is missing (a new user, userid 0, needs it)' })
  if (all.length > 0) throw new ArgsError(all)
  if (customId !== undefined) person.customId = customId
  if (userid !== undefined) person.userId = userid
  if (profiledata !== undefined) person.profileData = profiledata
  return person
}

/** Turns a person into the arguments of `selectperson`; fields that the pipe does not carry are left out. */
export function argsFromPerson(person: Person): z.input<typeof selectPersonArgsSchema> {
  const args: Record<string, unknown> = {}
  if (person.customId !== undefined) args.customid = person.customId
  if (person.userId !== undefined) args.userid = person.userId
  for (const { field, name } of pipeFields) if (person[field] !== undefined) args[name] = person[field]
  if (person.profileData !== undefined) args.profiledata = person.profileData
  return args as z.input<typeof selectPersonArgsSchema>
}
