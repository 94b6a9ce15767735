import { isObject } from '@service-link/protocol-core/errors'
import { findNearClaims } from '../claims/near-claims.ts'
import { iso } from '../errors/key-errors.ts'
import { PayloadShapeError, type Refusal } from '../errors/refusals.ts'
import { maxSeconds, maxSpanSeconds, timeOf, toleranceSeconds } from '../verify/check-claims.ts'
import type { JsonObject } from '../verify/read-token.ts'
import { type Findings, quoteText, quoteValue, type Words } from './explained-check.ts'

export function describeIssuer({ claims, terms: { issuer } }: Findings, refusal: Refusal | undefined): Words {
  const iss = claims?.iss
  if (refusal)
    return {
      says:
        iss === undefined
          ? `There is no iss, and ${quoteText(issuer ?? '')} is expected.`
          : `iss is ${quoteValue(iss)}, and ${quoteText(issuer ?? '')} is registered. They are compared letter by letter.`,
      change: 'Sign with the registered issuer, or register yours.',
    }
  if (iss === undefined) return { says: 'There is no iss, and none is needed beside a registered kid.' }
  if (issuer === undefined)
    return { says: `iss is ${quoteValue(iss)}. No issuer was given to compare it with.` }
  return { says: 'iss is the registered issuer.' }
}

/** Most audiences that are shown and compared. */
const maxCompared = 5

/** Characters by which a misspelled address may be longer than the expected one. */
const maxLonger = 200

export function describeAudience(
  { claims, terms: { audience } }: Findings,
  refusal: Refusal | undefined,
): Words {
  const aud = claims?.aud
  const expected = audience[0] ?? ''
  if (!refusal)
    return {
      says:
        aud === undefined
          ? 'There is no aud, which the policy lenient takes.'
          : 'aud is the address of this receiver.',
    }
  if (aud === undefined)
    return { says: 'The claim aud is missing.', change: `Sign with the audience ${quoteText(expected)}.` }
  const given = (Array.isArray(aud) ? aud : [aud])
    .filter(value => typeof value === 'string')
    .slice(0, maxCompared)
  const shown = given.length > 0 ? given.map(quoteText).join(', ') : quoteValue(aud)
  const difference = given.map(text => differenceOf(text, expected)).find(text => text !== undefined)
  return {
    says: `aud is ${shown}, and this receiver is ${quoteText(expected)}. They are compared letter by letter${difference === undefined ? '' : `: ${difference}`}.`,
    change: `Sign with the audience ${quoteText(expected)}, exactly.`,
  }
}

function differenceOf(given: string, expected: string): string | undefined {
  if (given.length > expected.length + maxLonger) return 'it is far longer'
  if (given.trim() === expected) return 'white space is around it'
  if (given.replace(/\/+$/, '') === expected.replace(/\/+$/, ''))
    return given.endsWith('/') ? 'a slash too many at its end' : 'the slash at its end is missing'
  if (!URL.canParse(given) || !URL.canParse(expected)) return undefined
  const [ours, theirs] = [new URL(expected), new URL(given)]
  if (theirs.href === ours.href) return 'the same address in another spelling'
  if (theirs.protocol !== ours.protocol && theirs.host === ours.host)
    return `it begins with ${theirs.protocol}// instead of ${ours.protocol}//`
  if (theirs.hostname !== ours.hostname) return 'the host is another one'
  if (theirs.port !== ours.port) return 'the port is another one'
  if (theirs.pathname !== ours.pathname) return 'the path is another one'
  return 'the query or fragment is another one'
}

const maxNames = 40

/** Members of `contact` that senders put beside it by mistake. */
const contactMembers = ['id', 'firstname', 'lastname', 'birthdate', 'ssn', 'contactId', 'contact.id']

/** Members that some libraries put all claims into. */
const containers = ['payload', 'data', 'claims', 'body']

/** What to change in claims that cannot be read. */
export const changeOfJson =
  'Let a JWT library write the claims: JSON in UTF-8, one object, at most 16 levels deep.'

/** Lists the names of the claims, and no value. */
export function describeJson({ claims }: Findings, refusal: Refusal | undefined): Words {
  if (refusal || !claims) return { says: refusal?.message ?? '', change: changeOfJson }
  const contact = isObject(claims.contact) ? Object.keys(claims.contact) : []
  const names = Object.keys(claims).map(name =>
    name === 'contact' && contact.length > 0 ? `contact (${listNames(contact)})` : showName(name),
  )
  return { says: `The claims are ${names.length === 0 ? 'empty' : names.slice(0, maxNames).join(', ')}.` }
}

export function describeClaims({ claims = {} }: Findings, refusal: Refusal | undefined): Words {
  const near = findNearClaims(claims).map(
    ({ given, meant }) => `Write ${meant} instead of ${given}: the spelling counts.`,
  )
  if (refusal?.code === 'ERR_END_NOT_ALLOWED')
    return {
      says: 'This is a signed end, and the registration does not allow ends.',
      change: 'Have ends registered. To open the service, send a contact, and no claim end.',
    }
  if (!(refusal instanceof PayloadShapeError)) {
    const all = claims.end === undefined ? 'All' : 'This is a signed end: all'
    const says = `${all} required claims are there, and each has an acceptable form.`
    return near.length > 0 ? { says, change: near.join(' ') } : { says }
  }
  const hints = [...refusal.issues.flatMap(({ path }) => hintFor(path, claims)), ...near]
  return {
    says: refusal.message,
    change: hints.length > 0 ? [...new Set(hints)].join(' ') : 'Send each claim named above as it asks for.',
  }
}

function hintFor(path: string, claims: JsonObject): readonly string[] {
  if (path === 'end' || (path === 'contact' && claims.end !== undefined))
    return [
      'A signed end has the claim end, context or session, and no contact. A payload has a contact, and no end.',
    ]
  const container = containers.find(name => isObject(claims[name]) && 'organizationId' in claims[name])
  if (container !== undefined)
    return [`The claims are inside the member ${container}: move them to the top level of the JWT.`]
  if (path === 'jti')
    return [
      'Write a jti of your own for each token, such as a new UUID: it makes sure that a token works once.',
    ]
  if (path === 'contact' || path === 'contact.id') return hintForContact(path, claims)
  const name = path.split('.').at(-1) ?? ''
  const owner = path.startsWith('contact.') && isObject(claims.contact) ? claims.contact : claims
  const value = owner[name]
  if (typeof value === 'number') return [`Write ${path} as text, in quotation marks.`]
  if (/birthdate$/i.test(path)) return ['Write contact.birthdate as YYYY-MM-DD.']
  return []
}

function hintForContact(path: string, claims: JsonObject): readonly string[] {
  const { contact } = claims
  if (typeof contact === 'string')
    return contact.trimStart().startsWith('{')
      ? ['contact is JSON written as text: give the library an object, not its text.']
      : ['contact must be an object, such as {"id": "…"}.']
  if (isObject(contact)) {
    if (typeof contact.id === 'number') return [`Write ${path} as text, in quotation marks.`]
    return []
  }
  const stray = contactMembers.filter(name => name in claims)
  if (stray.length > 0)
    return [
      `${stray.join(', ')} ${stray.length === 1 ? 'stands' : 'stand'} at the top level: the person in focus is a member contact of its own, {"contact": {"id": "…", …}}.`,
    ]
  return findNearClaims(claims).some(({ meant }) => meant === 'contact')
    ? []
    : ['Add the person in focus, {"contact": {"id": "…"}}, beside organizationId and employeeId.']
}

function listNames(names: readonly string[]): string {
  return names.slice(0, maxNames).map(showName).join(', ')
}

function showName(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : quoteText(name)
}

const timeClaims = ['iat', 'nbf', 'exp'] as const

/** Larger numbers are milliseconds: this one is the year 5138 in seconds, and 1973 in milliseconds. */
const leastMilliseconds = 100_000_000_000

/** Largest offset of a time zone, in seconds. */
const maxOffset = 14 * 3600

export function describeTimes({ claims: sent = {}, terms }: Findings, refusal: Refusal | undefined): Words {
  const { now, policy } = terms
  const claims = Object.fromEntries(timeClaims.map(claim => [claim, timeOf(sent[claim], policy)]))
  const moments = timeClaims.flatMap(claim => {
    const value = claims[claim]
    if (typeof value === 'number' && value < leastMilliseconds)
      return [`${claim} is ${describeMoment(value, now)}`]
    return value === undefined ? [] : [`${claim} is ${quoteShape(value)}`]
  })
  const says = moments.length === 0 ? 'There are no iat, nbf and exp.' : `${moments.join('; ')}.`
  if (!refusal)
    return {
      says: policy === 'lenient' && moments.length === 0 ? `${says} The policy lenient takes that.` : says,
    }
  return {
    says: `${says} ${sentenceOf(refusal, claims, now, terms.receiver?.limits.toleranceSeconds)}`,
    change: changeOfTimes(refusal, claims, now, terms.receiver?.limits.spanSeconds),
  }
}

function sentenceOf(
  refusal: Refusal,
  { iat, exp }: JsonObject,
  now: Date,
  tolerated = toleranceSeconds,
): string {
  if (refusal.code === 'ERR_PAYLOAD_EXPIRED' && typeof exp === 'number')
    return `The claim exp was ${describeSpan(now.getTime() / 1000 - exp)} ago; ${tolerated} seconds are tolerated.`
  if (refusal.code === 'ERR_PAYLOAD_TIMES' && typeof iat === 'number' && typeof exp === 'number' && exp > iat)
    return `From iat to exp it is ${describeSpan(exp - iat)}. ${refusal.message}`
  return refusal.message
}

function changeOfTimes(refusal: Refusal, claims: JsonObject, now: Date, span = maxSpanSeconds): string {
  const given = timeClaims.map(claim => claims[claim]).filter(value => value !== undefined)
  // Only these two: an object may have a `toString` that is no function.
  const isPlain = (value: unknown) => typeof value === 'number' || typeof value === 'string'
  if (given.some(value => isPlain(value) && Number(value) >= leastMilliseconds))
    return 'These are milliseconds, and a JWT counts seconds: divide by 1000, and round down.'
  if (given.some(value => typeof value === 'string'))
    return 'Write iat and exp as JSON numbers, without quotation marks: seconds since 1970-01-01 UTC.'
  const zone = offsetOf(claims, now)
  const isAhead = refusal.code === 'ERR_PAYLOAD_NOT_YET_VALID'
  if (zone !== undefined && isAhead) return `The signing server’s time is wrong by ${zoneMistake(zone)}`
  switch (refusal.code) {
    case 'ERR_PAYLOAD_EXPIRED': {
      const change =
        'Sign when the user clicks, not when the page is made, and post at once. If you do, set the signing server’s clock.'
      // A saved token is as likely as a wrong clock.
      return zone === undefined
        ? change
        : `${change} If it was signed just now, that clock is late by ${zoneMistake(zone)}`
    }
    case 'ERR_PAYLOAD_NOT_YET_VALID':
      return 'Set the signing server’s clock, by NTP; do not add time to iat or nbf.'
    default:
      return `Write iat, the time of signing, and exp, a minute later (at most ${describeSpan(span)}), both in seconds.`
  }
}

function zoneMistake(seconds: number): string {
  return `almost exactly ${seconds / 3600} h: it writes local time as if it were UTC, or its time zone is set wrong. Use a function that gives UTC.`
}

/** The distance of `iat` from now in seconds, if it is within two minutes of a time zone’s offset. */
function offsetOf({ iat, exp }: JsonObject, now: Date): number | undefined {
  const signed = typeof iat === 'number' ? iat : exp
  if (typeof signed !== 'number') return undefined
  const away = Math.abs(now.getTime() / 1000 - signed)
  const nearest = Math.round(away / 1800) * 1800
  return nearest >= 3600 && nearest <= maxOffset && Math.abs(away - nearest) <= 120 ? nearest : undefined
}

function quoteShape(value: unknown): string {
  return typeof value === 'string' ? 'text' : quoteValue(value)
}

const units = [
  { name: 'day', seconds: 86_400 },
  { name: 'hour', seconds: 3600 },
  { name: 'minute', seconds: 60 },
] as const

/** Writes a moment as ISO text with its distance from now: `2026-06-01T12:00:00Z, 3 minutes ago`. */
export function describeMoment(seconds: number, now: Date): string {
  if (!(seconds >= 0 && seconds <= maxSeconds)) return 'a time beyond the year 9999'
  const moment = iso(new Date(seconds * 1000))
  const ahead = seconds - now.getTime() / 1000
  if (Math.abs(ahead) < 1) return `${moment}, now`
  return ahead > 0 ? `${moment}, in ${describeSpan(ahead)}` : `${moment}, ${describeSpan(-ahead)} ago`
}

/** Writes a span in its largest unit. */
export function describeSpan(seconds: number): string {
  const whole = Math.floor(seconds)
  const { name, seconds: size } = units.find(unit => whole >= unit.seconds) ?? { name: 'second', seconds: 1 }
  const count = Math.floor(whole / size)
  return `${count} ${name}${count === 1 ? '' : 's'}`
}
