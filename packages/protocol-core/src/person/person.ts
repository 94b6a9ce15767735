import * as z from 'zod/mini'
import { missingOr, trimmedText } from '../text/text-field.ts'
import { readIsoBirthDate } from './parse-date.ts'
import { profileDataSchema } from './profile-data.ts'

/**
 * The person in focus, the same value whichever transport it came by (design: person, one model). Made at the edge, in
 * the transport, and never translated again. Absent text is absent, never empty.
 */
export const personSchema = z.strictObject({
  /** Identifier of the person in the partner's system. Not unique in the service. */
  customId: z.optional(trimmedText),
  /** Identifier of the person in the service; 0 for a new person. */
  userId: z.optional(z.int().check(z.gte(0))),
  firstname: z.optional(trimmedText),
  middlename: z.optional(trimmedText),
  lastname: z.optional(trimmedText),
  /** `YYYY-MM-DD`, in a year from 1700 to 2399. */
  dateOfBirth: z.optional(
    z.string({ error: missingOr('must be text') }).check(
      z.superRefine((value, context) => {
        const { date, problem = 'must be written YYYY-MM-DD' } = readIsoBirthDate(value)
        if (date !== value) context.addIssue({ code: 'custom', message: problem })
      }),
      z.meta({ format: 'date' }),
    ),
  ),
  /** National identity number. */
  ssn: z.optional(trimmedText),
  /** Diagnosis code. */
  diagnosis: z.optional(trimmedText),
  gender: z.optional(z.enum(['female', 'male'])),
  /** The partner link's gender as sent, if it is neither female nor male. */
  genderAsSent: z.optional(trimmedText),
  email: z.optional(trimmedText),
  mobile: z.optional(trimmedText),
  phoneHome: z.optional(trimmedText),
  phoneWork: z.optional(trimmedText),
  address: z.optional(trimmedText),
  zipcode: z.optional(trimmedText),
  location: z.optional(trimmedText),
  country: z.optional(trimmedText),
  /** The sender's system that the person comes from. */
  source: z.optional(trimmedText),
  profileData: z.optional(profileDataSchema),
})

/** See {@link personSchema}. */
export type Person = z.output<typeof personSchema>

/** Gender as the service keeps it. */
export type Gender = 'female' | 'male'

/** A person with an identifier, of the partner's system or of the service, and a name: all that `selectperson` needs. */
export type SelectablePerson = Person & { readonly firstname: string; readonly lastname: string } & (
    | { readonly customId: string }
    | { readonly userId: number }
  )

/** A person with all that a launch needs, by the command line or the XML file. */
export type LaunchPerson = Person & {
  readonly [Field in 'customId' | 'firstname' | 'lastname' | 'dateOfBirth']: string
}
