import { ServiceLinkError } from '../errors/service-link-error.ts';
import { dateStyleOf } from './date-order.ts';
/** A text that is not a date, or not one that exists. The message never holds the text. */
export class DateError extends ServiceLinkError {
    code = 'ERR_DATE';
    /** What was expected, as a clause: `must be …`. */
    problem;
    constructor(problem) {
        super(`The date ${problem}.`);
        this.problem = problem;
    }
}
/**
 * Reads a calendar date as ISO 8601, `YYYY-MM-DD`.
 *
 * @returns the same date, without surrounding white space
 * @throws {DateError} when it is another format or a day that does not exist
 */
export function parseIsoDate(text) {
    return dateOrThrow(readIsoDate(text));
}
/**
 * Reads a calendar date as ISO 8601 and, if that fails, in the order that a culture writes year, month and day
 * (specification 4.3). Day and month are never told apart by their values; a year has four digits. Between the numbers
 * stands a dot, slash, hyphen or space; the culture's own digits count as well as 0 to 9. Where the culture's calendar
 * is the Buddhist one, a year from 2400 is of that calendar.
 *
 * @param culture BCP 47 tag, such as `nb-NO` or `en-US`
 * @returns the date as `YYYY-MM-DD`
 * @throws {DateError} when it fits neither, or is a day that does not exist
 * @example
 * ```ts
 * import { parseDate } from '@service-link/protocol-core'
 *
 * parseDate('03/04/1980', 'en-US') // '1980-03-04'
 * parseDate('03.04.1980', 'nb-NO') // '1980-04-03'
 * ```
 */
export function parseDate(text, culture) {
    return dateOrThrow(readDate(text, culture));
}
/** Like {@link parseIsoDate}, without throwing. */
export function readIsoDate(text) {
    const match = /^\s*(\d{4})-(\d{2})-(\d{2})\s*$/.exec(text);
    if (!match)
        return { problem: 'must be written YYYY-MM-DD' };
    return existingDate(Number(match[1]), Number(match[2]), Number(match[3]));
}
/** Like {@link parseDate}, without throwing. */
export function readDate(text, culture) {
    if (/^\s*\d{4}-\d{2}-\d{2}\s*$/.test(text))
        return readIsoDate(text);
    const style = dateStyleOf(culture);
    const numbers = asciiDigits(text, style)
        .trim()
        .replace(/\.$/, '')
        .split(/\s*[./\-\s]\s*/);
    const { year, month, day } = assign(numbers, style.order);
    if (!/^\d{4}$/.test(year) || !/^\d{1,2}$/.test(month) || !/^\d{1,2}$/.test(day))
        return {
            problem: `must be written YYYY-MM-DD, or ${describe(style.order)} as the culture ${culture} has it`,
        };
    const gregorianYear = style.isBuddhist && Number(year) >= 2400 ? Number(year) - 543 : Number(year);
    // A year of another calendar, such as the Persian 1359 or the Buddhist 2523, must not pass for one of this calendar.
    if (gregorianYear < 1700 || gregorianYear > 2399)
        return { problem: 'must have a year of the Gregorian calendar' };
    return existingDate(gregorianYear, Number(month), Number(day));
}
function dateOrThrow({ date, problem }) {
    if (date === undefined)
        throw new DateError(problem);
    return date;
}
/** Replaces the culture's own digits, and drops the marks of writing direction that stand between them. */
function asciiDigits(text, { digits }) {
    if (!digits)
        return text;
    return [...text.replace(/[\u061c\u200e\u200f]/g, '')]
        .map(character => {
        const digit = digits.indexOf(character);
        return digit < 0 ? character : String(digit);
    })
        .join('');
}
function assign(numbers, order) {
    const parts = { year: '', month: '', day: '' };
    if (numbers.length === order.length)
        for (const [index, part] of order.entries())
            parts[part] = numbers[index] ?? '';
    return parts;
}
function describe(order) {
    const letters = { year: 'YYYY', month: 'MM', day: 'DD' };
    return order.map(part => letters[part]).join('.');
}
function existingDate(year, month, day) {
    if (year < 1 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month))
        return { problem: 'must be a day that exists' };
    return {
        date: `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`,
    };
}
function daysIn(year, month) {
    if (month === 2)
        return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
    return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}
