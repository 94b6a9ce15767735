import { z } from 'zod'
import { givenText } from '../text/text-field.ts'

/**
 * Who is in focus, as other programs of the user are told: enough to recognise the person, and no more. No date of birth,
 * address or profile data leaves the wrapper this way. With some partners the customid is a national identity number.
 */
export const personInFocusSchema = z.looseObject({
  userid: z.int().nullish().describe('Service user id'),
  customid: givenText.nullish().describe('Id of the person in the partner’s system; not unique'),
  firstname: z.string().nullish().describe('First name, or names'),
  lastname: z.string().nullish().describe('Last name'),
})

/** See {@link personInFocusSchema}. */
export type PersonInFocus = z.output<typeof personInFocusSchema>

/** What `status` answers. */
export const sessionStatusSchema = z.looseObject({
  loaded: z.boolean().describe('Whether the web app is there and takes commands'),
  signedin: z.boolean().describe('Whether somebody is signed in to it'),
  person: personInFocusSchema
    .nullable()
    .describe('The person in focus, as personselected tells it; null when there is none'),
})

/** See {@link sessionStatusSchema}. */
export type SessionStatus = z.output<typeof sessionStatusSchema>
