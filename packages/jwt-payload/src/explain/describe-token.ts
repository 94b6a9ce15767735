import type { Refusal } from '../errors/refusal.ts'
import type { UnverifiedToken } from '../verify/read-token.ts'
import type { Words } from './explained-check.ts'
import { quoteValue } from './quote-text.ts'

/** What is said of a text that is a signed JWT in form. */
export function describeToken({ signingInput, signature, header }: UnverifiedToken): Words {
  const bytes = signingInput.length + 1 + Math.ceil((signature.length * 4) / 3)
  const kid = header.kid === undefined ? 'no kid' : `kid ${quoteValue(header.kid)}`
  return { says: `A signed JWT of ${bytes} bytes. Its header has alg ${quoteValue(header.alg)} and ${kid}.` }
}

/**
 * What is said of a text that is none.
 *
 * @param wrappings from `unwrapToken`
 */
export function describeBrokenToken(text: string, wrappings: readonly string[], refusal: Refusal): Words {
  if (refusal.code === 'ERR_PAYLOAD_TOO_LARGE')
    return {
      says: `The token has ${text.length} characters. ${refusal.message}`,
      change: 'Leave out what the service does not need, such as pictures or lists.',
    }
  if (wrappings.length > 0)
    return {
      says: `${refusal.message} This is more than a token: ${wrappings.join('; ')}.`,
      change: 'Send the token alone. What follows looks at it as if that were so.',
    }
  return { says: refusal.message, change: changeFor(text) }
}

function changeFor(text: string): string {
  if (text === '') return 'There is no token at all: the text is empty.'
  if (/^-----BEGIN /.test(text))
    return 'This is a key or certificate. Give the token that was signed with it.'
  if (/^[{[]/.test(text.trimStart()))
    return 'These are claims that nobody has signed. Sign them first, with signPayload.'
  const parts = text.split('.').length
  if (parts === 5) return 'Five parts are an encrypted JWT. Sign the claims, and do not encrypt them.'
  if (parts === 2) return 'Two parts are a token without its signature. Take all of it, with both dots.'
  return 'Let a JWT library make the token (JWS compact serialization), and hand it on whole and unchanged.'
}
