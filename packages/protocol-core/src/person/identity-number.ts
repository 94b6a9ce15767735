import { assertParameter } from '../errors/parameter-error.ts'

/**
 * Brings a national identity number into the one form by which it is found: in capitals, without white space, hyphens, dots and
 * slashes, in Sweden with a year of two digits, and in Finland without the sign of the century. People may share a form, as a
 * Swede, one who is 100 years older, and a Dane: {@link compareIdentityNumbers} decides.
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
 * in Sweden also with a year of four digits or two, and in Finland without the sign of the century.
 *
 * A short number may have several readings, each of a country and a date of birth: `010203-1234` is a Dane's of 1903-02-01 or a
 * Swede's of 2001-02-03. The person's date of birth decides; else a date that does not exist, one in the future, or an age that nobody
 * has reached excludes a reading; a wrong check digit excludes a Swede where both numbers may be a Dane's. In Sweden a `+` tells an age of 100 years or more; a `-`
 * tells nothing, because it may have been written years ago.
 *
 * @param today for the age. Default: now
 * @returns `same` if each has one reading, it is the same, and no date of birth contradicts it; `different` if they share none; `unknown` if nothing decides, even for
 *   two equal texts; `undefined` if one of the two has no number
 * @example
 * ```ts
 * import { compareIdentityNumbers } from '@service-link/protocol-core'
 *
 * compareIdentityNumbers({ ssn: '19801224-1234' }, { ssn: '801224-1234' }) // 'same'
 * compareIdentityNumbers({ ssn: '19150412-2389' }, { ssn: '20150412-2389' }) // 'different'
 * compareIdentityNumbers({ ssn: '20010203-1234' }, { ssn: '010203-1234' }) // 'unknown'
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
  if (keys[0] !== keys[1]) return 'different'
  const [one, other] = [spellingOf(a.ssn ?? ''), spellingOf(b.ssn ?? '')]
  if (!one || !other) return 'same'
  const readings = [readingsOf(one, a, today), readingsOf(other, b, today)]
  // Programs keep wrong numbers, too: the check digit excludes no Swede beside one who is known as such.
  const areDanish =
    !isSwedishCheck(one.key) && readings.every(some => some.some(({ country }) => country === 'dmy'))
  const [ofOne = [], ofOther = []] = readings.map(some =>
    some.filter(({ country }) => !areDanish || country !== 'ymd'),
  )
  if (ofOne.length === 0 || ofOther.length === 0) return one.bare === other.bare ? 'same' : 'unknown'
  const isOf = (sign: boolean) => (reading: Reading) =>
    ofOther.some(
      ({ country, date, series }) =>
        country === reading.country && date === reading.date && (!sign || series === reading.series),
    )
  // A Finn's number without its sign may be of any series of the century; most are of the first.
  if (!ofOne.some(isOf(true)))
    return (one.sign === '') !== (other.sign === '') && ofOne.some(isOf(false)) ? 'unknown' : 'different'
  const isSure =
    ofOne.length === 1 && ofOther.length === 1 && !isDoubtful(one, a, ofOne) && !isDoubtful(other, b, ofOther)
  return isSure ? 'same' : 'unknown'
}

/** Whether the number does not tell its century, and the date of birth fits none. */
function isDoubtful(
  spelling: Spelling,
  { dateOfBirth }: NumberedPerson,
  readings: readonly Reading[],
): boolean {
  return !isCertain(spelling) && !!dateOfBirth && readings.every(({ date }) => date !== dateOfBirth)
}

/** Whether two numbers are written alike, but for separators that say nothing. Two people may write alike: see {@link compareIdentityNumbers}. */
export function areWrittenAlike(ssn: string, other: string): boolean {
  const [one, two] = [spellingOf(ssn), spellingOf(other)]
  return one !== undefined && one.bare === two?.bare && one.sign === two.sign
}

/** Nobody has grown older, in years. */
const maxAge = 125

interface Spelling {
  /** Without separators; a `+` stays, and so do the other signs of a century in Finland. */
  readonly bare: string
  /** `bare`, in Sweden without the century, in Finland without its sign. */
  readonly key: string
  /** Which countries may have written it. `other`: none of those whose numbers need a reading. */
  readonly form: 'long' | 'interim' | 'digits' | 'finnish' | 'other'
  /** The sign of a Finn's century; may be empty. */
  readonly sign: string
}

/** Dashes, and the minus sign. */
const dash = String.raw`\p{Dash_Punctuation}\u2212`
const separators = /* @__PURE__ */ new RegExp(String.raw`[\s\p{Default_Ignorable_Code_Point}${dash}./]`, 'gu')
const dashBeforeEnd = /* @__PURE__ */ new RegExp(String.raw`[${dash}]\s*[0-9A-Z]{4}\s*$`, 'u')

/** In Sweden, the day of a coordination number is 60 higher. */
const day = '(?:[06][1-9]|[1278]\\d|[39][01])'
/** An interim number has a letter before its last three digits. */
const interim = '[JKLMNRSTUWX]\\d{3}'
const swedishLong = /* @__PURE__ */ new RegExp(
  `^(?:18|19|20)(\\d\\d(?:0[1-9]|1[0-2])${day})\\+?(\\d{4}|${interim})$`,
)
const swedishInterim = /* @__PURE__ */ new RegExp(`^(\\d{6})\\+?(${interim})$`)
const tenDigits = /^(\d{6})\+?(\d{4})$/
const finnish = /^(\d{6})(?:([+A-FU-Y])(\d{3}[0-9A-Z])|(\d{3}[A-Z]))$/

function spellingOf(text: string): Spelling | undefined {
  if (text.length > 128) return undefined
  const written = text.normalize('NFKC').toUpperCase()
  const bare = written.replaceAll(separators, '')
  if (!/^[0-9A-Z+]{6,32}$/.test(bare) || bare.replaceAll(/\D/g, '').length < 6) return undefined
  const forms = { long: swedishLong, interim: swedishInterim, digits: tenDigits, finnish } as const
  for (const form of ['long', 'interim', 'digits', 'finnish'] as const) {
    const [, date, ...rest] = forms[form].exec(bare) ?? []
    if (date === undefined) continue
    const sign = form === 'finnish' ? (rest[0] ?? (dashBeforeEnd.test(written) ? '-' : '')) : ''
    const number = form === 'finnish' ? (rest[1] ?? rest[2]) : rest[0]
    return { bare: form === 'long' ? bare.replace('+', '') : bare, key: `${date}${number}`, form, sign }
  }
  return { bare, key: bare, form: 'other', sign: '' }
}

/** What a number may mean. */
interface Reading {
  /** The order of the birth date: Sweden, or Denmark, Finland and Iceland. */
  readonly country: 'ymd' | 'dmy'
  /** `YYYY-MM-DD` */
  readonly date: string
  /** The sign of a Finn's number beyond the first series of its century. */
  readonly series: string
}

/** Reads a number in each possible way; the person's date of birth chooses, if it fits one. */
function readingsOf(spelling: Spelling, { dateOfBirth }: NumberedPerson, today: Date): readonly Reading[] {
  const { form, key, bare, sign } = spelling
  const [one = '', month = '', three = ''] = key.match(/\d\d/g) ?? []
  const thisYear = today.getUTCFullYear()
  const isPast = ({ date }: Reading) => date <= today.toISOString().slice(0, 10)
  const ofYears = (country: Reading['country'], years: readonly string[], days: string, series = '') =>
    years.flatMap((year): Reading[] => {
      const date = `${year}-${month}-${days}`
      return exists(date) ? [{ country, date, series }] : []
    })
  const readings: Reading[] = []
  if (form !== 'finnish' && form !== 'other') {
    const days = Number(three) > 60 ? String(Number(three) - 60).padStart(2, '0') : three
    const years = form === 'long' ? [bare.slice(0, 4)] : ['18', '19', '20'].map(century => century + one)
    const swedish = ofYears('ymd', years, days)
    const old = bare.includes('+')
      ? swedish.filter(({ date }) => Number(date.slice(0, 4)) <= thisYear - 100).slice(-1)
      : swedish
    readings.push(...old)
  }
  if (form === 'digits' && !bare.includes('+'))
    readings.push(...ofYears('dmy', [...new Set(centuriesOf(key).map(century => century + three))], one))
  if (form === 'finnish') {
    const centuries =
      sign === '' ? ['18', '19', '20'] : [/[A-F]/.test(sign) ? '20' : sign === '+' ? '18' : '19']
    const years = centuries.map(century => century + three)
    readings.push(...ofYears('dmy', years, one, '+-A'.includes(sign) ? '' : sign))
  }
  const born = readings.filter(({ date }) => date === dateOfBirth)
  if (born.length > 0) return born
  return isCertain(spelling)
    ? readings
    : readings.filter(reading => isPast(reading) && thisYear - Number(reading.date.slice(0, 4)) <= maxAge)
}

/** Whether a number tells its century. */
function isCertain({ form, sign, bare }: Spelling): boolean {
  return form === 'long' || sign !== '' || bare.includes('+')
}

function exists(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date)
}

/** The centuries of ten digits with the day first: of a Dane, of an Icelander, and of a Finn without a sign. */
function centuriesOf(digits: string): readonly string[] {
  const [year, seventh] = [Number(digits.slice(4, 6)), Number(digits[6])]
  const isLate = seventh === 4 || seventh === 9 ? year <= 36 : seventh > 4 && year <= 57
  const danish = isLate ? '20' : seventh > 4 && seventh < 9 ? '18' : '19'
  const sum = [3, 2, 7, 6, 5, 4, 3, 2, 1].reduce(
    (sum, weight, index) => sum + weight * Number(digits[index]),
    0,
  )
  const icelandic = sum % 11 === 0 ? { 0: ['20'], 9: ['19'], 8: ['18'] }[Number(digits[9])] : undefined
  const isFinnish = Number(digits.slice(0, 9)) % 31 === Number(digits[9])
  return [danish, ...(icelandic ?? []), ...(isFinnish ? ['19', '20'] : [])]
}

/** Whether the last of ten digits is the Swedish check digit of the others. */
function isSwedishCheck(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .map((digit, index) => (index % 2 === 0 ? digit * 2 : digit))
    .reduce((sum, digit) => sum + (digit > 9 ? digit - 9 : digit), 0)
  return sum % 10 === 0
}
