import { Refusal } from '../errors/refusals.ts'
import { namedAlgorithms, type PayloadAlgorithm, payloadAlgorithms } from '../keys/algorithms.ts'
import { readKeyContent } from '../keys/key-content.ts'
import { importHmac } from '../keys/secret.ts'
import { isKeySet, type VerificationKey, type VerificationKeySource } from '../keys/verification-key.ts'
import { checkSignature, isNamedBy, isSignedWith } from '../verify/check-signature.ts'
import type { UnverifiedToken } from '../verify/read-token.ts'
import { signatureBytes, signatureFromDer } from '../verify/signature-form.ts'
import { type Findings, nameKey, quoteValue, thumbprintAndEnd, type Words } from './explained-check.ts'

export function describeAlgorithm(
  { token, terms: { receiver } }: Findings,
  refusal: Refusal | undefined,
): Words {
  const { alg } = token.header
  const owner = receiver ? 'this receiver' : 'the partner link'
  if (!refusal) return { says: `alg ${quoteValue(alg)} is an algorithm of ${owner}.` }
  const taken = receiver ? namedAlgorithms(receiver) : payloadAlgorithms
  const says = `The header’s alg is ${quoteValue(alg)}, which ${owner} does not have.`
  if (typeof alg !== 'string')
    return { says, change: 'Let the library write the header’s alg when it signs.' }
  if (alg.toLowerCase() === 'none')
    return { says, change: 'An unsigned token is never taken. Sign it with your private key or secret.' }
  const meant = taken.find(name => name.toLowerCase() === alg.toLowerCase())
  if (meant) return { says, change: `Write ${meant}: upper and lower case count.` }
  if (taken.length === 0)
    return { says, change: 'It names no algorithm of the partner link. Ask who runs it.' }
  return { says, change: `Use one of ${taken.join(', ')}.` }
}

export async function describeKey(found: Findings, refusal: Refusal | undefined): Promise<Words> {
  if (!refusal) {
    const keys = found.chosenKeys ?? []
    const says = `alg ${quoteValue(found.token.header.alg)} may be used with ${keys.map(nameKey).join('; ')}.`
    const issuers = keys.flatMap(key => key.issuers).map(thumbprintAndEnd)
    if (issuers.length === 0) return { says }
    return {
      says: `${says} Its file also has the certificates that issued it, which do not count: ${issuers.join('; ')}.`,
    }
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
  const names = candidates.map(key => `${nameKey(key)}, which takes ${key.algorithms.join(', ')}`)
  const says = `alg ${quoteValue(header.alg)} cannot be used with ${names.join('; ')}.`
  const other = keys.find(key => key.algorithms.some(algorithm => algorithm === header.alg))
  if (named.length > 0 && other)
    return { says, change: `Send the kid of ${nameKey(other)} instead, or sign with the key that kid names.` }
  if (
    typeof header.alg === 'string' &&
    header.alg.startsWith('HS') &&
    candidates.every(({ kind }) => kind !== 'secret')
  )
    return {
      says,
      change:
        'A public key is no shared secret: sign with the private key that belongs to it, and its algorithm. Where the secret given to the library is the text of a PEM file, its algorithm was left at HS256.',
    }
  return { says, change: `Sign with ${candidates.flatMap(key => key.algorithms).join(', ')}.` }
}

export async function describeSignature(found: Findings, refusal: Refusal | undefined): Promise<Words> {
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

const utf8 = new TextEncoder()

/** Looks for mistakes that senders make when they sign, as far as the partner's keys can prove them. */
async function findSignatureMistake(found: Findings): Promise<string | undefined> {
  const { token, algorithm, chosenKeys, sources } = found
  if (!algorithm) return undefined
  const text = await textUsedAsSecret(token, algorithm, sources)
  if (text) return text
  if (!chosenKeys) return undefined
  const raw = signatureFromDer(token.signature, algorithm)
  if (raw)
    return (await fits({ ...token, signature: raw }, algorithm, chosenKeys))
      ? `The signature fits, but it is in DER. A JWS has the two numbers one after the other, ${raw.length} bytes: ask the library for the format IEEE P1363, or let a JWT library sign.`
      : 'The signature is in DER, and a JWS has two numbers one after the other (IEEE P1363). It does not fit the registered key either.'
  const made = payloadAlgorithms.find(
    name => name.startsWith('HS') && signatureBytes(name) === token.signature.length,
  )
  // A secret verifies by the header's algorithm alone; the length tells another one.
  if (algorithm.startsWith('HS') && made !== undefined && made !== algorithm)
    return `It is as long as one of ${made}, and the header says ${algorithm}. Write the algorithm that is used into the header.`
  for (const key of found.terms.keys.filter(one => !isKeySet(one))) {
    for (const other of key.algorithms) {
      if (!(await fits(token, other, [key]))) continue
      return other === algorithm
        ? `It was made with another key than kid names: with ${nameKey(key)}. Send the kid of that key.`
        : `It was made with ${other}, and the header says ${algorithm}. Write the algorithm that is used into the header.`
    }
  }
  const { header } = token
  const carried = ['jwk', 'x5c', 'jku', 'x5u'].filter(name => name in header)
  return carried.length === 0
    ? undefined
    : `The header carries a key of its own (${carried.join(', ')}), which the service does not obey. If that is the key you sign with, register it.`
}

/** Finds a token that was signed with the text of a PEM file or of a secret, in place of the secret's bytes. */
async function textUsedAsSecret(
  token: UnverifiedToken,
  algorithm: PayloadAlgorithm,
  sources: readonly VerificationKeySource[],
): Promise<string | undefined> {
  if (!algorithm.startsWith('HS')) return undefined
  for (const source of sources) {
    const isSecret = source.kind === 'secret'
    const given = isSecret ? source.secret : 'pem' in source ? source.pem : ''
    const text = isSecret || typeof given === 'string' ? given : readKeyContent(given).text
    if (typeof text !== 'string' || text === '') continue
    for (const variant of new Set([text, text.trim(), `${text.trim()}\n`])) {
      const key = await importHmac(utf8.encode(variant), algorithm)
      if (!(await isSignedWith(key, algorithm, token))) continue
      return isSecret
        ? 'It was made with the text of the secret. The secret is the bytes that the text stands for: decode it from base64url first.'
        : 'It was made with the text of your certificate or public key as secret, which anybody could do. Sign with the private key, and its algorithm.'
    }
  }
  return undefined
}

async function fits(
  token: UnverifiedToken,
  algorithm: PayloadAlgorithm,
  keys: readonly VerificationKey[],
): Promise<boolean> {
  try {
    await checkSignature(token, algorithm, keys)
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}
