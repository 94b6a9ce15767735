export { type DateOrder, dateOrderOf, isCulture, machineCulture } from './date-order.ts'
export { DateError, parseDate, parseIsoDate } from './parse-date.ts'
