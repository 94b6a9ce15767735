import { namesOfKey, type VerificationKey } from '../keys/verification-key.ts'
import { isNamedBy } from '../verify/choose-keys.ts'
import { quoteText } from './quote-text.ts'

/**
 * Why a header does not name the key that is registered. The service finds the partner by `kid` before it looks at any key.
 *
 * @returns `undefined` when it does, or when there is nothing to compare with
 */
export function hintOfKeyId(
  header: Readonly<Record<string, unknown>>,
  keys: readonly VerificationKey[],
): string | undefined {
  const { kid } = header
  if (keys.some(key => isNamedBy(key, header))) return undefined
  if (kid === undefined)
    return 'The header has no kid, so that the service needs a registered iss to find you. Send the registered kid.'
  if (typeof kid !== 'string') return 'The header’s kid must be text.'
  const names = keys.flatMap(namesOfKey)
  const meant = names.find(name => fold(name) === fold(kid))
  if (meant !== undefined)
    return `The header’s kid is ${quoteText(kid)}: a registered name in another spelling, and the service compares exactly. Write ${quoteText(meant)}.`
  const registered = keys.flatMap(({ keyId }) => (keyId === undefined ? [] : [quoteText(keyId)]))
  if (registered.length === 0) return undefined
  return `The header’s kid is ${quoteText(kid)}, and registered is ${registered.join(', ')}: the service would look for you by iss, if at all. Send the registered kid.`
}

/** The same for hexadecimal in any case with or without colons, and for both alphabets of base64. */
function fold(name: string): string {
  const bare = name.replace(/^(sha-?(1|256)\s*)?(fingerprint|thumbprint)?\s*=\s*/i, '')
  const hex = bare.replace(/[:\s\u200e-]/g, '').toUpperCase()
  if (/^([\dA-F]{40}|[\dA-F]{64})$/.test(hex)) return hex
  return bare.trim().replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '').toLowerCase()
}
