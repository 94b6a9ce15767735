import * as z from 'zod/mini'
import { profileDataSchema } from '../person/profile-data.ts'
import { described, givenText, missingOr, optionalText, optionalWireInteger } from '../text/text-field.ts'

/** Arguments of `selectperson` as they travel ([specification 4.5](https://github.com/service-link/service-link/blob/main/docs/reference/pipe.md)), under their canonical names. */
export const selectPersonArgsSchema = z
  .object({
    id: described(optionalText, 'Obsolete; interpreted as customid, to which it loses'),
    customid: described(optionalText, 'Id of the person in the partner’s system'),
    userid: described(
      optionalWireInteger.check(
        z.refine(id => id === undefined || id >= 0, { error: 'must not be negative' }),
      ),
      'Service user id; 0 tells the service that this is a new user',
    ),
    firstname: described(optionalText, 'First name, or names'),
    lastname: described(optionalText, 'Last name'),
    email: described(optionalText, 'E-mail address'),
    address: described(optionalText, 'Street address'),
    phonehome: described(optionalText, 'Phone number at home'),
    phonework: described(optionalText, 'Phone number at work'),
    mobile: described(optionalText, 'Mobile phone number'),
    country: described(optionalText, 'Country, as the sender writes it'),
    zipcode: described(optionalText, 'Postal code'),
    location: described(optionalText, 'Town or place'),
    gender: described(optionalText, 'female, male, F or M, in any case'),
    dateofbirth: described(optionalText, 'yyyy-MM-dd; else as the wrapper’s culture writes a date'),
    source: described(optionalText, 'Not in the specification; legacy senders give it'),
    profiledata: described(
      z.pipe(
        z.nullish(profileDataSchema),
        z.transform(entries => entries ?? undefined),
      ),
      'Profile-data entries',
    ),
  })
  .check(
    z.meta({
      required: ['firstname', 'lastname'],
      anyOf: [{ required: ['customid'] }, { required: ['id'] }, { required: ['userid'] }],
    }),
  )

/** See {@link selectPersonArgsSchema}. */
export type SelectPersonArgs = z.output<typeof selectPersonArgsSchema>

/** The same as a client writes them. */
export type WrittenPersonArgs = z.input<typeof selectPersonArgsSchema>

const selectPersonReply = {
  status: described(z.enum(['selected', 'created']), 'Whether the person was there, or was created'),
  userId: described(z.int({ error: missingOr('must be an integer') }), 'Service user id'),
  customId: described(givenText, 'Id of the person in the partner’s system'),
}

/** Answer to `selectperson`, as programs have it. */
export const selectPersonReplySchema = z.object(selectPersonReply)

/** Answer to `selectperson`, as it travels. */
export const selectPersonWireReplySchema = z.object({
  status: selectPersonReply.status,
  userid: selectPersonReply.userId,
  customid: selectPersonReply.customId,
})

/** See {@link selectPersonReplySchema}. */
export type SelectPersonReply = z.output<typeof selectPersonReplySchema>
