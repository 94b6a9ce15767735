import type { Refusal } from '../errors/refusals.ts'
import { payloadAlgorithms } from '../keys/algorithms.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import { isNamedBy } from '../verify/check-signature.ts'
import type { UnverifiedToken } from '../verify/read-token.ts'
import {
  describeAudience,
  describeClaims,
  describeIssuer,
  describeJson,
  describeTimes,
} from './describe-claims.ts'
import {
  type Describe,
  type Findings,
  nameKey,
  type PayloadCheckName,
  quoteValue,
  type Words,
} from './explained-check.ts'
import { findSignatureMistake } from './find-signature-mistake.ts'

/** Describes each check. */
export const describeCheck: Readonly<Record<PayloadCheckName, Describe>> = {
  algorithm: describeAlgorithm,
  key: describeKey,
  signature: describeSignature,
  json: describeJson,
  issuer: describeIssuer,
  times: describeTimes,
  audience: describeAudience,
  claims: describeClaims,
}

/** Describes a text that has the form of a signed JWT. */
export function describeToken({ signingInput, signature, header }: UnverifiedToken): Words {
  const bytes = signingInput.length + 1 + Math.ceil((signature.length * 4) / 3)
  const kid = header.kid === undefined ? 'no kid' : `kid ${quoteValue(header.kid)}`
  return { says: `A signed JWT of ${bytes} bytes. Its header has alg ${quoteValue(header.alg)} and ${kid}.` }
}

/**
 * Describes any other text.
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
      change: 'Send the token alone. The checks below look at the token alone.',
    }
  return { says: refusal.message, change: changeOfText(text) }
}

function changeOfText(text: string): string {
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

function describeAlgorithm({ token }: Findings, refusal: Refusal | undefined): Words {
  const { alg } = token.header
  if (!refusal) return { says: `alg ${quoteValue(alg)} is an algorithm of the partner link.` }
  const says = `The header’s alg is ${quoteValue(alg)}, which the partner link does not have.`
  if (typeof alg !== 'string')
    return { says, change: 'Let the library write the header’s alg when it signs.' }
  if (alg.toLowerCase() === 'none')
    return { says, change: 'An unsigned token is never taken. Sign it with your private key or secret.' }
  const meant = payloadAlgorithms.find(name => name.toLowerCase() === alg.toLowerCase())
  if (meant) return { says, change: `Write ${meant}: upper and lower case count.` }
  return { says, change: `Use one of ${payloadAlgorithms.join(', ')}.` }
}

async function describeKey(found: Findings, refusal: Refusal | undefined): Promise<Words> {
  if (!refusal) {
    const names = (found.chosenKeys ?? []).map(nameKey).join('; ')
    return { says: `alg ${quoteValue(found.token.header.alg)} may be used with ${names}.` }
  }
  const words = describeKeyRefusal(found, refusal)
  const mistake = await findSignatureMistake(found)
  return mistake === undefined ? words : { ...words, change: mistake }
}

function describeKeyRefusal(found: Findings, refusal: Refusal): Words {
  if (refusal.code === 'ERR_PAYLOAD_ALGORITHM') return describeMismatch(found)
  if (found.terms.keys.length === 0)
    return { says: refusal.message, change: 'Send the service your certificate or public key.' }
  return {
    says: refusal.message,
    change: 'Make a new certificate and register it; the old one may stay registered until then.',
  }
}

function describeMismatch({ token: { header }, terms: { keys } }: Findings): Words {
  const named = keys.filter(key => isNamedBy(key, header))
  const candidates = named.length > 0 ? named : keys
  const says = `alg ${quoteValue(header.alg)} cannot be used with ${candidates.map(nameWithAlgorithms).join('; ')}.`
  const other = keys.find(key => key.algorithms.some(algorithm => algorithm === header.alg))
  if (named.length > 0 && other)
    return {
      says,
      change: `Send the kid of ${nameKey(other)} instead, or sign with the key that kid names.`,
    }
  if (String(header.alg).startsWith('HS') && candidates.every(({ kind }) => kind !== 'secret'))
    return {
      says,
      change:
        'A public key is no shared secret: sign with the private key that belongs to it, and its algorithm. Where the secret given to the library is the text of a PEM file, its algorithm was left at HS256.',
    }
  return { says, change: `Sign with ${candidates.flatMap(key => key.algorithms).join(', ')}.` }
}

function nameWithAlgorithms(key: VerificationKey): string {
  return `${nameKey(key)}, which takes ${key.algorithms.join(', ')}`
}

async function describeSignature(found: Findings, refusal: Refusal | undefined): Promise<Words> {
  const { key, token, chosenKeys: keys = [] } = found
  if (!refusal) {
    const fitting = keys.length > 1 && key ? nameKey(key) : 'that key'
    return { says: `The signature fits ${fitting}, and nothing was changed since.` }
  }
  if (refusal.code !== 'ERR_PAYLOAD_SIGNATURE')
    return {
      says: refusal.message,
      change: 'Look at your key set: it must be reachable and hold the key that kid names.',
    }
  const says =
    token.signature.length === 0
      ? 'The token has no signature: nothing follows its second dot.'
      : `The signature does not fit ${keys.length > 1 ? 'any of those keys' : 'that key'}.`
  return {
    says,
    change:
      (await findSignatureMistake(found)) ??
      'Sign with the private key (or secret) that belongs to the registered one, and change nothing in the token afterwards. If you have changed keys, register the new one first.',
  }
}
