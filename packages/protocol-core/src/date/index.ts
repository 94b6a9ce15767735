export { type DateOrder, type DateStyle, dateStyleOf, isCulture, machineCulture } from './date-order.ts'
export {
  DateError,
  type DateReading,
  parseDate,
  parseIsoDate,
  readDate,
  readIsoBirthDate,
  readIsoDate,
} from './parse-date.ts'
