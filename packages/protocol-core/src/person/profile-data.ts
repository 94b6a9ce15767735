import { z } from 'zod'
import { parseIsoDate } from '../date/parse-date.ts'

/** How the date of an entry may be written (specification 2.3). */
export const profileDateFormats = ['yyyy-MM-dd hh:mm:ss', 'yyyy-MM-dd hh:mm', 'yyyy-MM-dd'] as const

/** Most entries that one person may carry. */
export const maxProfileEntries = 10_000

const text = z.string({ error: 'must be text' }).nullish()

const knownMembersSchema = z.looseObject({
  key: z.string({ error: issue => (issue.input === undefined ? 'is missing' : 'must be text') }),
  name: text,
  value: z.union([z.string(), z.number()], { error: 'must be text or a number' }).nullish(),
  unit: text,
  date: text.refine(value => !value || isProfileDate(value), {
    error: `must be written as one of ${profileDateFormats.join(', ')}`,
  }),
  source: text,
  description: text,
})

/**
 * One profile-data entry (specification 2.3). Checked, but passed on exactly as sent: members of the sender's own, their
 * order and every value are kept.
 */
export const profileEntrySchema = z
  .record(z.string(), z.json())
  .superRefine((entry, context) => {
    const checked = knownMembersSchema.safeParse(entry)
    for (const issue of checked.error?.issues ?? [])
      context.addIssue({ code: 'custom', path: issue.path, message: issue.message })
  })
  .meta({
    description: 'A profile-data entry; further keys of the sender’s own choosing are kept.',
    required: ['key'],
    properties: {
      key: { type: 'string', description: 'Defined by the service so that the structured data can be used' },
      name: { type: 'string', description: 'Display name; may equal key' },
      value: { type: ['string', 'number'] },
      unit: { type: 'string', description: 'Unit of the value, if any' },
      date: { type: 'string', description: profileDateFormats.join(' | ') },
      source: { type: 'string', description: 'Source of the data' },
      description: { type: 'string', description: 'Optional text or comment' },
    },
  })

/** A profile-data entry; `key` is text, every other member is as the sender wrote it. */
export type ProfileEntry = z.output<typeof profileEntrySchema>

/** All profile data of one person, in the sender's order. */
export const profileDataSchema = z
  .array(profileEntrySchema, { error: 'must be an array' })
  .max(maxProfileEntries, { error: `has more than ${maxProfileEntries} entries` })

function isProfileDate(value: string): boolean {
  const match = /^(\d{4}-\d{2}-\d{2})(?: ([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)?$/.exec(value)
  if (!match?.[1]) return false
  try {
    return parseIsoDate(match[1]) !== ''
  } catch {
    return false
  }
}
