import * as z from 'zod/mini'
import { profileEntrySchema } from '../person/person.ts'
import { maxProfileEntries } from '../person/profile-data.ts'
import { described, jsonFactsOf, withJson } from '../schema/facts.ts'
import { object } from '../schema/object.ts'
import { givenText, missingOr, optionalWireId, optionalWireInteger, textOrNull } from '../text/text-field.ts'
import type { FromWire } from '../text/wire-names.ts'

/** Read with the person: one that cannot be read is left out, unless it is a name. */
const fieldOfPerson = withJson(z.optional(z.unknown()), textOrNull)

/** Arguments of `selectperson` as they travel ([specification 4.5](https://github.com/service-link/service-link/blob/main/docs/reference/pipe.md)), under their canonical names. */
export const selectPersonArgsSchema = withJson(
  object({
    id: described(optionalWireId, 'Obsolete; interpreted as customid, to which it loses'),
    customid: described(optionalWireId, 'Id of the person in the partner’s system'),
    userid: described(
      optionalWireInteger.check(
        z.refine(id => id === undefined || id >= 0, { error: 'must not be negative' }),
      ),
      'Service user id; 0 tells the service that this is a new user',
    ),
    firstname: described(fieldOfPerson, 'First name, or names'),
    lastname: described(fieldOfPerson, 'Last name'),
    email: described(fieldOfPerson, 'E-mail address'),
    address: described(fieldOfPerson, 'Street address'),
    phonehome: described(fieldOfPerson, 'Phone number at home'),
    phonework: described(fieldOfPerson, 'Phone number at work'),
    mobile: described(fieldOfPerson, 'Mobile phone number'),
    country: described(fieldOfPerson, 'Country, as the sender writes it'),
    zipcode: described(fieldOfPerson, 'Postal code'),
    location: described(fieldOfPerson, 'Town or place'),
    gender: described(fieldOfPerson, 'female, male, F or M, in any case; also Kvinne, Mann and the like'),
    dateofbirth: described(
      fieldOfPerson,
      'yyyy-MM-dd; else year first, RFC 1123, or as the wrapper’s culture writes a date; a time does not count',
    ),
    source: described(fieldOfPerson, 'Not in the specification; legacy senders give it'),
    profiledata: described(
      withJson(z.optional(z.unknown()), {
        type: ['array', 'null'],
        items: jsonFactsOf(profileEntrySchema),
        maxItems: maxProfileEntries,
      }),
      'Profile-data entries',
    ),
  }),
  {
    required: ['firstname', 'lastname'],
    anyOf: [{ required: ['customid'] }, { required: ['id'] }, { required: ['userid'] }],
  },
)

/** See {@link selectPersonArgsSchema}. */
export type SelectPersonArgs = z.output<typeof selectPersonArgsSchema>

/** A web app's answer to `selectperson`. */
export const selectPersonAnswerSchema = object({
  status: z.enum(['selected', 'created']),
  userId: z.int({ error: missingOr('must be an integer') }),
  customId: givenText,
})

/** See {@link selectPersonAnswerSchema}. */
export type SelectPersonAnswer = z.output<typeof selectPersonAnswerSchema>

/** Answer to `selectperson`, as it travels. */
export const selectPersonWireReplySchema = object({
  status: described(
    z.string(),
    'selected or created: whether the person was there. Older wrappers may say other words',
  ),
  userid: described(z.optional(z.int()), 'Service user id; older wrappers may leave it out'),
  customid: described(
    z.optional(z.string()),
    'Id of the person in the partner’s system; older wrappers may leave it out',
  ),
})

/** See {@link selectPersonWireReplySchema}, as programs have it. */
export type SelectPersonReply = FromWire<z.output<typeof selectPersonWireReplySchema>>
