import * as z from 'zod/mini'
import { described } from '../schema/facts.ts'
import { looseObject } from '../schema/object.ts'
import { ownMembersOf } from '../text/json-problem.ts'
import { missingOr, optionalText, requiredId } from '../text/text-field.ts'
import { readPlainDate } from './parse-date.ts'

const contactShape = {
  id: described(
    requiredId,
    'The partner’s globally unique ID of the person; a national identity number is preferred',
  ),
  birthdate: described(
    z.pipe(
      optionalText,
      z.transform((sent, context) => {
        if (sent === undefined) return undefined
        const { date, problem, isAbsent } = readPlainDate(sent)
        if (problem !== undefined && !isAbsent)
          context.issues.push({ code: 'custom', message: problem, input: sent })
        return date
      }),
    ),
    'YYYY-MM-DD',
  ),
  ssn: described(optionalText, 'National identity number'),
  gender: described(optionalText, 'female or male; another word is kept as sent'),
  firstname: optionalText,
  middlename: described(optionalText, 'May be an empty string'),
  lastname: optionalText,
  mobile: optionalText,
  email: optionalText,
  diagnosis: described(optionalText, 'Diagnosis code'),
}

/**
 * The person in focus as the partner link carries it ([specification 2.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)). Unknown members are kept; their texts and names
 * follow the rule of every text.
 */
export const contactSchema = looseObject(contactShape, { error: missingOr('must be an object') }).check(
  z.superRefine(...ownMembersOf(contactShape)),
)

const payloadShape = {
  organizationId: described(requiredId, 'The partner’s organisation ID'),
  organizationName: optionalText,
  employeeId: described(requiredId, 'The partner’s ID of the logged-in user'),
  employeeUsername: optionalText,
  employeeFirstname: optionalText,
  employeeLastname: optionalText,
  employeeEmail: optionalText,
  contact: contactSchema,
}

/**
 * Claims of the partner link ([specification 2.1](https://github.com/service-link/service-link/blob/main/docs/reference/partner-link.md#the-token)): the employee who is logged in to the partner's application, the
 * organization, and the contact in focus. All else is optional. Unknown claims are kept; their texts and names follow the
 * rule of every text.
 */
export const payloadSchema = looseObject(payloadShape).check(z.superRefine(...ownMembersOf(payloadShape)))
