export { dateStyleOf, isCulture, machineCulture } from './date-order.ts';
export { DateError, parseDate, parseIsoDate, readDate, readIsoDate } from './parse-date.ts';
