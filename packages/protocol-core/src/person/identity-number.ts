import { assertParameter } from '../errors/parameter-error.ts'

/**
 * Brings a national identity number into the one form by which it is found: in capitals, without white space, hyphens, dots and
 * slashes, and in Sweden with a year of two digits. Two people may share a form, as a Swede and one who is 100 years older:
 * {@link compareIdentityNumbers} decides.
 *
 * @param text as sent, typed or issued
 * @returns `undefined` for a text with fewer than 6 digits, over 32 characters, or other characters
 * @example
 * ```ts
 * import { normalizeIdentityNumber } from '@service-link/protocol-core'
 *
 * normalizeIdentityNumber('131052-308t') // '131052308T'
 * normalizeIdentityNumber('19801224-1234') // '8012241234'
 * normalizeIdentityNumber('801224-1234') // '8012241234'
 * ```
 */
export function normalizeIdentityNumber(text: string): string | undefined {
  assertParameter('text', text, 'text')
  return spellingOf(text)?.key
}

/**
 * Makes the comparable form of a contact's `ssn`: the normalized number, or the text itself if it cannot be a number.
 *
 * @returns `undefined` for a text without a digit, such as `unknown`
 */
export function comparableSsn(ssn: string): string | undefined {
  assertParameter('ssn', ssn, 'text')
  return normalizeIdentityNumber(ssn) ?? (/\d/.test(ssn) ? ssn : undefined)
}

/** A number and what tells its century where the number does not. */
export interface NumberedPerson {
  /** National identity number, as sent or kept. */
  readonly ssn?: string | null | undefined
  /** `YYYY-MM-DD` */
  readonly dateOfBirth?: string | null | undefined
}

/**
 * Compares two numbers in all spellings of their country: with and without separator (Denmark, Finland, Iceland, Norway, Sweden),
 * and in Sweden with a year of four digits or two. If a Swede's short number stands beside a long one, the date of birth of the
 * short one's person tells the century; else `+` tells 100 years or more and `-` fewer; else the age tells it, if only one is
 * possible.
 *
 * @param today for the age. Default: now
 * @returns `unknown` if the century is not known; `undefined` if one of the two has no number
 * @example
 * ```ts
 * import { compareIdentityNumbers } from '@service-link/protocol-core'
 *
 * compareIdentityNumbers({ ssn: '19801224-1234' }, { ssn: '801224-1234' }) // 'same'
 * compareIdentityNumbers({ ssn: '19150412-2389' }, { ssn: '20150412-2389' }) // 'different'
 * ```
 */
export function compareIdentityNumbers(
  a: NumberedPerson,
  b: NumberedPerson,
  today: Date = new Date(),
): 'same' | 'different' | 'unknown' | undefined {
  assertParameter('a', a, 'object')
  assertParameter('b', b, 'object')
  const keys = [a, b].map(({ ssn }) => comparableSsn(ssn ?? ''))
  if (keys.includes(undefined)) return undefined
  const [one, other] = [a, b].map(({ ssn }) => spellingOf(ssn ?? ''))
  if (!one || !other) return keys[0] === keys[1] ? 'same' : 'different'
  if (one.key !== other.key) return 'different'
  if (one.year === undefined && other.year !== undefined) return compareCentury(one, a, other.year, today)
  if (one.year !== undefined && other.year === undefined) return compareCentury(other, b, one.year, today)
  return one.bare === other.bare ? 'same' : 'different'
}

/** Tells whether the person of a short number was born in the year of a long one. */
function compareCentury(
  { bare, separator }: Spelling,
  { dateOfBirth }: NumberedPerson,
  year: number,
  today: Date,
): 'same' | 'different' | 'unknown' {
  const born = /^(\d{4})-\d\d-\d\d$/.exec(dateOfBirth ?? '')?.[1] ?? ''
  if (born.slice(2) === bare.slice(0, 2)) return Number(born) === year ? 'same' : 'different'
  const age = today.getUTCFullYear() - year
  if (separator !== '') return separator === (age >= 100 ? '+' : '-') ? 'same' : 'different'
  if (age > maxAge) return 'different'
  return age < 100 && age + 100 > maxAge ? 'same' : 'unknown'
}

/** Nobody has grown older, in years. */
const maxAge = 125

interface Spelling {
  /** Without separators; a `+` stays, and so do the other signs of a century in Finland. */
  readonly bare: string
  /** `bare`, in Sweden without the century. */
  readonly key: string
  /** Year of birth of a Swedish number in its long form. */
  readonly year: number | undefined
  /** The sign before the last four characters of a short number. */
  readonly separator: string
}

/** Dashes, and the minus sign. */
const dash = String.raw`\p{Dash_Punctuation}\u2212`
const separators = /* @__PURE__ */ new RegExp(String.raw`[\s\p{Default_Ignorable_Code_Point}${dash}./]`, 'gu')

/** In Sweden, the day of a coordination number is 60 higher. */
const day = '(?:[06][1-9]|[1278]\\d|[39][01])'
const swedishLong = /* @__PURE__ */ new RegExp(`^((?:18|19|20)\\d\\d)((?:0[1-9]|1[0-2])${day})\\+?(\\d{4})$`)

function spellingOf(text: string): Spelling | undefined {
  if (text.length > 128) return undefined
  const written = text.normalize('NFKC').toUpperCase()
  const bare = written.replaceAll(separators, '')
  if (!/^[0-9A-Z+]{6,32}$/.test(bare) || bare.replaceAll(/\D/g, '').length < 6) return undefined
  const [, year, date = '', number = ''] = swedishLong.exec(bare) ?? []
  if (year !== undefined)
    return {
      bare: `${year}${date}${number}`,
      key: `${year.slice(2)}${date}${number}`,
      year: Number(year),
      separator: '',
    }
  const isShort = /^\d{6}\+?\d{4}$/.test(bare)
  const hasDash = new RegExp(String.raw`[${dash}]\s*\d{4}\s*$`, 'u').test(written)
  const separator = bare.includes('+') ? '+' : hasDash ? '-' : ''
  return { bare, key: isShort ? bare.replace('+', '') : bare, year: undefined, separator }
}
