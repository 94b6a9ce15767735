import * as z from 'zod/mini'
import { withFacts, withJson } from '../schema/facts.ts'
import { strictObject } from '../schema/object.ts'
import { missingOr, trimmedText } from '../text/text-field.ts'
import { readWrittenBirthDate } from './parse-date.ts'
import {
  isProfileObject,
  maxProfileEntries,
  type ProfileEntry,
  profileDateFormats,
  readProfileEntry,
  tooManyEntries,
  type WrittenProfileEntry,
} from './profile-data.ts'

/** One profile-data entry ([specification 2.3](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)), passed on as it was sent. */
export const profileEntrySchema = withFacts(
  z.pipe(
    z.custom<ProfileEntry>(isProfileObject, { error: 'must be an object' }),
    z.transform((sent, context): ProfileEntry => {
      const { entry, issues } = readProfileEntry(sent)
      for (const { path, problem } of issues)
        context.issues.push({ code: 'custom', path: [...path], message: problem, input: sent })
      return entry
    }),
  ),
  {
    description:
      'A profile-data entry. Further members of the sender’s own choosing are kept, and so are members of another type.',
    json: {
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
    },
  },
)

/** All profile data of one person, in the sender's order. */
export const profileDataSchema = z
  .array(profileEntrySchema, { error: 'must be an array' })
  .check(z.maxLength(maxProfileEntries, { error: tooManyEntries }))

/**
 * The person in focus, the same value whichever transport it came by (design: person, one model). Made at the edge, in
 * the transport, and never translated again. Absent text is absent, never empty.
 */
export const personSchema = strictObject({
  /** Identifier of the person in the partner's system. Not unique in the service. */
  customId: z.optional(trimmedText),
  /** Identifier of the person in the service; 0 for a new person. */
  userId: z.optional(z.int().check(z.gte(0))),
  firstname: z.optional(trimmedText),
  middlename: z.optional(trimmedText),
  lastname: z.optional(trimmedText),
  /** `YYYY-MM-DD`, in a year from 1700 to 2399. */
  dateOfBirth: z.optional(
    withJson(
      z.string({ error: missingOr('must be text') }).check(
        z.superRefine((value, context) => {
          const { problem } = readWrittenBirthDate(value)
          if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
        }),
      ),
      { format: 'date' },
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
export type SelectablePerson = Person & {
  readonly firstname: string
  readonly lastname: string
  readonly profileData?: WrittenProfileEntry[] | undefined
} & ({ readonly customId: string } | { readonly userId: number })

/** A person of a launch, by the command line or the XML file. The brand names further required fields. */
export type LaunchPerson = Person & { readonly customId: string }
