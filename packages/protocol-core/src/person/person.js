import { z } from 'zod';
import { readIsoDate } from '../date/parse-date.ts';
import { maxTextLength } from '../text/text-field.ts';
import { profileDataSchema } from './profile-data.ts';
const text = z.string().min(1).max(maxTextLength);
/**
 * The person in focus, the same value whichever transport it came by (design: person, one model). Made at the edge, in
 * the transport, and never translated again. Absent text is absent, never empty.
 */
export const personSchema = z.strictObject({
    /** Identifier of the person in the partner's system. Not unique in the service. */
    customId: text.optional(),
    /** Identifier of the person in the service; 0 says that this is a new one. */
    userId: z.int().min(0).optional(),
    firstname: text.optional(),
    middlename: text.optional(),
    lastname: text.optional(),
    /** `YYYY-MM-DD`. */
    dateOfBirth: z
        .string()
        .refine(isIsoDate, { error: 'must be a date, YYYY-MM-DD' })
        .meta({ format: 'date' })
        .optional(),
    /** National identity number. */
    ssn: text.optional(),
    /** Diagnosis code. */
    diagnosis: text.optional(),
    gender: z.enum(['female', 'male']).optional(),
    /** The partner link's gender where it is neither female nor male, as sent. */
    genderAsSent: text.optional(),
    email: text.optional(),
    mobile: text.optional(),
    phoneHome: text.optional(),
    phoneWork: text.optional(),
    address: text.optional(),
    zipcode: text.optional(),
    location: text.optional(),
    country: text.optional(),
    /** Which system of the sender the person comes from. */
    source: text.optional(),
    profileData: profileDataSchema.optional(),
});
function isIsoDate(value) {
    return readIsoDate(value).date === value;
}
