import { namesOfKey } from '../keys/verification-key.ts'
import type { JsonObject } from '../verify/claim-depth.ts'
import type { KnownRegistration } from './find-partner.ts'
import { quoteText } from './quote-text.ts'
import { isSameName } from './same-name.ts'

/** How many registered names are shown. */
const maxShown = 5

/** What to change in a header that names none of the registered keys. */
export function hintOfPartner({ kid }: JsonObject, { keys, issuer }: KnownRegistration): string {
  const byIssuer = issuer === undefined ? 'a registered iss' : `the registered iss, ${quoteText(issuer)}`
  if (kid !== undefined && typeof kid !== 'string') return 'The header’s kid must be text.'
  const meant = kid === undefined ? undefined : keys.flatMap(namesOfKey).find(name => isSameName(name, kid))
  if (kid !== undefined && meant !== undefined)
    return `The header’s kid is ${quoteText(kid)}: a registered name in another spelling, and the service compares exactly. Write ${quoteText(meant)}.`
  if (keys.some(({ kind }) => kind === 'jwks'))
    return `The kid of a key in a key set names no partner: sign with ${byIssuer}, beside the kid.`
  const registered = keys.flatMap(({ keyId }) => (keyId === undefined ? [] : [quoteText(keyId)]))
  const names = registered.slice(0, maxShown).join(', ')
  if (registered.length === 0)
    return `The key was given here without a kid, as a shared secret has none of its own. Sign with the kid that it is registered with, and give that here, too; or with ${byIssuer}.`
  return kid === undefined
    ? `The header has no kid. Send the registered kid, ${names}, or ${byIssuer}.`
    : `The header’s kid is ${quoteText(kid)}, and registered is ${names}. Send the registered kid, or ${byIssuer}.`
}
