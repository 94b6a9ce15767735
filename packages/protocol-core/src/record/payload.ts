import { z } from 'zod'
import { ownMembersOf } from '../text/json-problem.ts'
import { optionalText, requiredText } from '../text/text-field.ts'
import { contactSchema } from './contact.ts'

const payloadShape = {
  organizationId: requiredText.describe('The partner’s organisation ID'),
  organizationName: optionalText,
  employeeId: requiredText.describe('The partner’s ID of the logged-in user'),
  employeeUsername: optionalText,
  employeeFirstname: optionalText,
  employeeLastname: optionalText,
  employeeEmail: optionalText,
  contact: contactSchema,
}

/**
 * Claims of the partner link (specification 2.1): the employee who is logged in to the partner's application, the
 * organization, and the contact in focus. All else is optional. Unknown claims are kept; their texts and names follow the
 * rule of every text.
 */
export const payloadSchema = z.looseObject(payloadShape).superRefine(...ownMembersOf(payloadShape))

/** See {@link payloadSchema}. */
export type Payload = z.output<typeof payloadSchema>

/** What a partner writes: see {@link payloadSchema}. */
export type PayloadInput = z.input<typeof payloadSchema>
