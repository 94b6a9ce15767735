import { PayloadShapeError } from '../errors/payload-errors.ts'
import type { Refusal } from '../errors/refusal.ts'
import { isObject, type JsonObject } from '../verify/claim-depth.ts'
import type { Verification } from '../verify/payload-checks.ts'
import type { Words } from './explained-check.ts'
import { quoteText } from './quote-text.ts'

/** How many names of claims are listed. */
const maxNames = 40

/** Members of `contact` that senders put beside it by mistake. */
const contactMembers = ['id', 'firstname', 'lastname', 'birthdate', 'ssn', 'contactId', 'contact.id']

/** Members that some libraries put all claims into. */
const containers = ['payload', 'data', 'claims', 'body']

/** What to change in claims that cannot be read. */
export const changeOfJson =
  'Let a JWT library write the claims: JSON in UTF-8, one object, at most 16 levels deep.'

/** What is said of the claims as JSON: their names, and no value. */
export function describeJson({ claims }: Verification, refusal: Refusal | undefined): Words {
  if (refusal || !claims)
    return {
      says: refusal?.message ?? '',
      change: changeOfJson,
    }
  const contact = isObject(claims.contact) ? Object.keys(claims.contact) : []
  const names = Object.keys(claims).map(name =>
    name === 'contact' && contact.length > 0 ? `contact (${listNames(contact)})` : showName(name),
  )
  return { says: `The claims are ${names.length === 0 ? 'empty' : names.slice(0, maxNames).join(', ')}.` }
}

/** What is said of the partner link's claims. */
export function describeClaims({ claims = {} }: Verification, refusal: Refusal | undefined): Words {
  if (!(refusal instanceof PayloadShapeError))
    return { says: 'All required claims are there, and each has an acceptable form.' }
  const hints = refusal.issues.flatMap(({ path }) => hintFor(path, claims))
  return {
    says: refusal.message,
    change: hints.length > 0 ? [...new Set(hints)].join(' ') : 'Send each claim named above as it asks for.',
  }
}

function hintFor(path: string, claims: JsonObject): readonly string[] {
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
  return spelledOtherwise(name, owner)
}

function hintForContact(path: string, claims: JsonObject): readonly string[] {
  const { contact } = claims
  if (typeof contact === 'string')
    return contact.trimStart().startsWith('{')
      ? ['contact is JSON written as text: give the library an object, not its text.']
      : ['contact must be an object, such as {"id": "…"}.']
  if (isObject(contact)) {
    if (typeof contact.id === 'number') return [`Write ${path} as text, in quotation marks.`]
    return spelledOtherwise('id', contact)
  }
  const stray = contactMembers.filter(name => name in claims)
  if (stray.length > 0)
    return [
      `${stray.join(', ')} ${stray.length === 1 ? 'stands' : 'stand'} at the top level: the person in focus is a member contact of its own, {"contact": {"id": "…", …}}.`,
    ]
  const otherwise = spelledOtherwise('contact', claims)
  return otherwise.length > 0
    ? otherwise
    : ['Add the person in focus, {"contact": {"id": "…"}}, beside organizationId and employeeId.']
}

function spelledOtherwise(name: string, owner: JsonObject): readonly string[] {
  const given = Object.keys(owner).find(key => key !== name && fold(key) === fold(name))
  return given === undefined ? [] : [`Write ${name} instead of ${showName(given)}: the spelling counts.`]
}

function fold(name: string): string {
  return name
    .replace(/[_\-\s]/g, '')
    .replace(/organis/i, 'organiz')
    .toLowerCase()
}

function listNames(names: readonly string[]): string {
  return names.slice(0, maxNames).map(showName).join(', ')
}

function showName(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : quoteText(name)
}
