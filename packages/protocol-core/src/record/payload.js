import { z } from 'zod';
import { optionalText, requiredText } from '../text/text-field.ts';
import { contactSchema } from './contact.ts';
/**
 * Claims of the partner link (specification 2.1): the employee who is logged in to the partner's application, the
 * organization, and the contact in focus. All else is optional and unknown claims are kept.
 */
export const payloadSchema = z.looseObject({
    organizationId: requiredText.describe('The partner’s organisation ID'),
    organizationName: optionalText,
    employeeId: requiredText.describe('The partner’s ID of the logged-in user'),
    employeeUsername: optionalText,
    employeeFirstname: optionalText,
    employeeLastname: optionalText,
    employeeEmail: optionalText,
    contact: contactSchema,
});
