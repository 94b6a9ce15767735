import * as z from 'zod/mini'
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

/** The same as a client writes them. */
export type WrittenPersonArgs = z.input<typeof selectPersonArgsSchema>

const selectPersonReply = {
  status: z.enum(['selected', 'created']).check(z.describe('Whether the person was there, or was created')),
  userId: z.int({ error: missingOr('must be an integer') }).check(z.describe('Service user id')),
  customId: givenText.check(z.describe('Id of the person in the partner’s system')),
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
