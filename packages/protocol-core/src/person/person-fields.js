import { readDate } from '../date/parse-date.ts';
import { maxTextLength } from '../text/text-field.ts';
import { parseGender } from './gender.ts';
/**
 * Reads a person out of a transport's text values: trims, drops empty optional text, reads date and gender, and names
 * what is missing. Used by each transport with its own table of names; the result is the one model. Never throws.
 *
 * @param values the transport's canonical name → text as sent
 * @param fields the transport's table
 * @returns the person so far as it could be read, and an issue for each value that is missing or cannot be read; the
 *   person counts only when there is none
 * @example
 * ```ts
 * import { readPersonFields } from '@service-link/protocol-core'
 *
 * const fields = [{ field: 'dateOfBirth', name: 'born', isRequired: true }] as const
 * readPersonFields({ born: '03.04.1980' }, fields, { culture: 'nb-NO' }).person // { dateOfBirth: '1980-04-03' }
 * ```
 */
export function readPersonFields(values, fields, options) {
    const issues = [];
    const person = {};
    for (const { field, name, isRequired } of fields) {
        const text = values[name]?.trim();
        if (!text) {
            if (isRequired)
                issues.push({ path: name, problem: 'is missing' });
            continue;
        }
        const problem = setField(person, field, text, options);
        if (problem)
            issues.push({ path: name, problem });
    }
    return { person, issues };
}
function setField(person, field, text, { culture }) {
    if (text.length > maxTextLength)
        return `is longer than ${maxTextLength} characters`;
    if (field === 'gender') {
        const gender = parseGender(text);
        if (!gender)
            return 'must be female, male, F or M';
        person.gender = gender;
        return undefined;
    }
    if (field === 'dateOfBirth') {
        const { date, problem } = readDate(text, culture);
        if (date !== undefined)
            person.dateOfBirth = date;
        return problem;
    }
    person[field] = text;
    return undefined;
}
