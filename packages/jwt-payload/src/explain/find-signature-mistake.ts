import { Refusal } from '../errors/refusal.ts'
import type { PayloadAlgorithm } from '../keys/algorithms.ts'
import type { VerificationKeySource } from '../keys/key-source.ts'
import type { VerificationKey } from '../keys/verification-key.ts'
import { checkSignature } from '../verify/check-signature.ts'
import type { Verification } from '../verify/payload-checks.ts'
import { signatureFromDer } from './der-signature.ts'
import { nameKey } from './name-key.ts'

const utf8 = new TextEncoder()

/**
 * Tries what senders do wrong when they sign, in so far as the partner's keys can prove it.
 *
 * @param sources what the keys were imported from, where that is known
 * @returns what to change, or `undefined` when none of it is the reason
 */
export async function findSignatureMistake(
  verification: Verification,
  sources: readonly VerificationKeySource[],
): Promise<string | undefined> {
  const { token, algorithm, keys, chosen } = verification
  if (!algorithm) return undefined
  const text = await textUsedAsSecret(verification, algorithm, sources)
  if (text) return text
  if (!chosen) return undefined
  const raw = signatureFromDer(token.signature, algorithm)
  if (raw)
    return (await fits({ ...verification, token: { ...token, signature: raw } }, algorithm, chosen.keys))
      ? `The signature fits, but it is in DER. A JWS has the two numbers one after the other, ${raw.length} bytes: ask the library for the format IEEE P1363, or let a JWT library sign.`
      : 'The signature is in DER, and a JWS has two numbers one after the other (IEEE P1363). It does not fit the registered key either.'
  for (const key of keys.filter(one => one.kind !== 'jwks')) {
    for (const other of key.algorithms) {
      if (!(await fits(verification, other, [key]))) continue
      return other === algorithm
        ? `It was made with another key than kid names: with ${nameKey(key)}. Send that one’s kid.`
        : `It was made with ${other}, and the header says ${algorithm}. Write the algorithm that is used into the header.`
    }
  }
  const { header } = token
  const carried = ['jwk', 'x5c', 'jku', 'x5u'].filter(name => name in header)
  return carried.length === 0
    ? undefined
    : `The header carries a key of its own (${carried.join(', ')}), which the service does not obey. If that is the key you sign with, register it.`
}

/** The text of a PEM file, or a secret's text instead of its bytes, taken as the secret itself. */
async function textUsedAsSecret(
  { token }: Verification,
  algorithm: PayloadAlgorithm,
  sources: readonly VerificationKeySource[],
): Promise<string | undefined> {
  if (!algorithm.startsWith('HS')) return undefined
  for (const source of sources) {
    const isSecret = source.kind === 'secret'
    const text = isSecret ? source.secret : 'pem' in source ? source.pem : undefined
    if (typeof text !== 'string' || text === '') continue
    for (const variant of new Set([text, text.trim(), `${text.trim()}\n`])) {
      if (!(await isSignedWithText(variant, algorithm, token))) continue
      return isSecret
        ? 'It was made with the text of the secret. The secret is the bytes that the text stands for: decode it from base64url first.'
        : 'It was made with the text of your certificate or public key as secret, which anybody could do. Sign with the private key, and its algorithm.'
    }
  }
  return undefined
}

async function isSignedWithText(
  text: string,
  algorithm: PayloadAlgorithm,
  { signingInput, signature }: Verification['token'],
): Promise<boolean> {
  const hmac = { name: 'HMAC', hash: `SHA-${algorithm.slice(2)}` }
  const key = await crypto.subtle.importKey('raw', utf8.encode(text), hmac, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, signature, utf8.encode(signingInput))
}

async function fits(
  { token }: Verification,
  algorithm: PayloadAlgorithm,
  keys: readonly VerificationKey[],
): Promise<boolean> {
  try {
    await checkSignature(token, { algorithm, keys })
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
