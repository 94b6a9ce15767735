import { z } from 'zod'
import { readIsoBirthDate } from '../date/parse-date.ts'
import { missingOr, trimmedText } from '../text/text-field.ts'
import { profileDataSchema } from './profile-data.ts'

/**
 * The person in focus, the same value whichever transport it came by (design: person, one model). Made at the edge, in
 * the transport, and never translated again. Absent text is absent, never empty.
 */
export const personSchema = z.strictObject({
  /** Identifier of the person in the partner's system. Not unique in the service. */
  customId: trimmedText.optional(),
  /** Identifier of the person in the service; 0 says that this is a new one. */
  userId: z.int().min(0).optional(),
  firstname: trimmedText.optional(),
  middlename: trimmedText.optional(),
  lastname: trimmedText.optional(),
  /** `YYYY-MM-DD`, in a year from 1700 to 2399. */
  dateOfBirth: z
    .string({ error: missingOr('must be text') })
    .superRefine((value, context) => {
      const { date, problem = 'must be written YYYY-MM-DD' } = readIsoBirthDate(value)
      if (date !== value) context.addIssue({ code: 'custom', message: problem })
    })
    .meta({ format: 'date' })
    .optional(),
  /** National identity number. */
  ssn: trimmedText.optional(),
  /** Diagnosis code. */
  diagnosis: trimmedText.optional(),
  gender: z.enum(['female', 'male']).optional(),
  /** The partner link's gender where it is neither female nor male, as sent. */
  genderAsSent: trimmedText.optional(),
  email: trimmedText.optional(),
  mobile: trimmedText.optional(),
  phoneHome: trimmedText.optional(),
  phoneWork: trimmedText.optional(),
  address: trimmedText.optional(),
  zipcode: trimmedText.optional(),
  location: trimmedText.optional(),
  country: trimmedText.optional(),
  /** Which system of the sender the person comes from. */
  source: trimmedText.optional(),
  profileData: profileDataSchema.optional(),
})

/** See {@link personSchema}. */
export type Person = z.output<typeof personSchema>
