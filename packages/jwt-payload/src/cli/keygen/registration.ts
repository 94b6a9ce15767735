import type { PartnerRegistration } from '../../receiver/partner-registration.ts'

/** Who registers a key. */
export interface Registrant {
  readonly id: string
  readonly name: string
  readonly issuer: string | undefined
}

/** What a service takes as `PARTNERS_FILE`: a list of registrations, here of one, with one key. */
export function registrationJson(
  { id, name, issuer }: Registrant,
  key: PartnerRegistration['keys'][number],
): string {
  const registration: PartnerRegistration = {
    id,
    name,
    ...(issuer === undefined ? {} : { issuer }),
    keys: [key],
  }
  return `${JSON.stringify([registration], null, 2)}\n`
}

/** Letters that are no letter with an accent. */
const latin: Readonly<Record<string, string>> = {
  ø: 'o',
  æ: 'ae',
  œ: 'oe',
  ß: 'ss',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  đ: 'd',
}

/** An identifier from a name: `Journal AS` gives `journal-as`. Empty when nothing of the name can be in one. */
export function idFromName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[øæœßðþłđ]/g, letter => latin[letter] ?? '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 64)
}
