import { assertParameter } from '@service-link/protocol-core'
import { Refusal } from '../errors/refusal.ts'
import type { VerificationKeySource } from '../keys/key-source.ts'
import {
  type PayloadCheck,
  type PayloadCheckName,
  payloadChecks,
  type Verification,
} from '../verify/payload-checks.ts'
import { maxTokenBytes, readToken, type UnverifiedToken } from '../verify/read-token.ts'
import { beginVerification, type VerifyPayloadOptions } from '../verify/verify-payload.ts'
import { describeAlgorithm } from './describe-algorithm.ts'
import { describeAudience } from './describe-audience.ts'
import { describeClaims, describeJson } from './describe-claims.ts'
import { describeIssuer } from './describe-issuer.ts'
import { describeKey } from './describe-key.ts'
import { describeSignature } from './describe-signature.ts'
import { describeTimes } from './describe-times.ts'
import { describeBrokenToken, describeToken } from './describe-token.ts'
import type { ExplainedCheck, Words } from './explained-check.ts'
import { findSignatureMistake } from './find-signature-mistake.ts'
import { explainActive, explainPartner } from './partner-checks.ts'
import { serviceChecks } from './service-checks.ts'
import { unwrapToken } from './unwrap-token.ts'

/** Options of {@link explainPayload}: those of `verifyPayload`, and what helps to find mistakes. */
export interface ExplainPayloadOptions extends VerifyPayloadOptions {
  /** What `keys` were imported from. With it a text that was used as secret by mistake is found. Default: not known. */
  readonly sources?: readonly VerificationKeySource[]
  /**
   * Given when `keys`, `issuer` and `policy` are all of one partner's registration: without `issuer` it then has none, and no
   * token is found by its `iss`. Default: not known, so that an `iss` may be registered.
   */
  readonly registration?: { readonly isActive: boolean }
}

/**
 * Walks a token through every check of the receiver, in its order, and tells in plain words which pass, which fail, and
 * what to change. Goes on after a failure where later checks still make sense; what it then reads is marked as not trusted.
 * The first check that failed is the one for which a receiver with several partners refuses: those of `verifyPayload`, and
 * whether the partner can be found by `kid` or `iss`, and is active. What only the service can know is not checked.
 *
 * No claim value that could be about a person is told, but names of claims, times, `iss`, `aud`, `kid` and `alg` are.
 *
 * @param token compact JWT, or what is held for one
 * @returns each check once; never rejects for what the token is
 * @throws {ParameterError} when `token` is no text, or an option is missing or of another type
 * @example
 * ```ts
 * import { explainPayload, importVerificationKey } from '@service-link/jwt-payload'
 *
 * const keys = await importVerificationKey({ kind: 'x509', pem: certificatePem })
 * const checks = await explainPayload(token, { keys, audience: 'https://sso.example/partner/payload' })
 * for (const { check, outcome, says } of checks) console.log(check, outcome, says)
 * ```
 */
export async function explainPayload(
  token: string,
  options: ExplainPayloadOptions,
): Promise<readonly ExplainedCheck[]> {
  const { first, readable } = explainToken(token)
  assertParameter('options', options, 'object', { sources: 'list?', registration: 'object?' })
  const { registration, sources = [] } = options
  const verification = readable && beginVerification(readable, options)
  const explained = [first]
  for (const check of payloadChecks) {
    if (check.name === 'key') explained.push(partnerOf(verification, registration !== undefined))
    explained.push(await explainCheck(check, verification, sources))
    if (check.name === 'json')
      explained.push(explainActive(verification?.key !== undefined, registration?.isActive))
  }
  return [...explained, ...serviceChecks(verification?.key !== undefined)]
}

async function explainCheck(
  { name, needs, run }: PayloadCheck,
  verification: Verification | undefined,
  sources: readonly VerificationKeySource[],
): Promise<ExplainedCheck> {
  if (!verification || (needs && verification[needs] === undefined)) return notChecked(name, needs ?? 'token')
  const refusal = await refusalOf(() => run(verification))
  const words = await describe(name, verification, refusal, sources)
  return {
    check: name,
    outcome: refusal ? 'failed' : 'passed',
    isTrusted: verification.key !== undefined,
    ...(refusal ? { code: refusal.code } : {}),
    ...words,
  }
}

function partnerOf(verification: Verification | undefined, isWhole: boolean): ExplainedCheck {
  if (!verification) return notChecked('partner', 'token')
  const { keys, issuer } = verification
  return explainPartner(verification, { keys, issuer, isWhole })
}

function explainToken(text: string): {
  readonly first: ExplainedCheck
  readonly readable: UnverifiedToken | undefined
} {
  const base = { check: 'token', isTrusted: false } as const
  try {
    const readable = readToken(text)
    return { first: { ...base, outcome: 'passed', ...describeToken(readable) }, readable }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { token, wrappings } = unwrapToken(text.slice(0, 2 * maxTokenBytes))
    const readable = wrappings.length > 0 ? readIfToken(token) : undefined
    const words = describeBrokenToken(text, readable ? wrappings : [], error)
    return { first: { ...base, outcome: 'failed', code: error.code, ...words }, readable }
  }
}

function readIfToken(text: string): UnverifiedToken | undefined {
  try {
    return readToken(text)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

async function refusalOf(run: () => void | Promise<void>): Promise<Refusal | undefined> {
  try {
    await run()
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

async function describe(
  name: PayloadCheckName,
  verification: Verification,
  refusal: Refusal | undefined,
  sources: readonly VerificationKeySource[],
): Promise<Words> {
  switch (name) {
    case 'algorithm':
      return describeAlgorithm(verification, refusal)
    case 'key': {
      const words = describeKey(verification, refusal)
      const mistake = refusal && (await findSignatureMistake(verification, sources))
      return mistake === undefined ? words : { ...words, change: mistake }
    }
    case 'json':
      return describeJson(verification, refusal)
    case 'signature':
      return describeSignature(verification, refusal, sources)
    case 'issuer':
      return describeIssuer(verification, refusal)
    case 'times':
      return describeTimes(verification, refusal)
    case 'audience':
      return describeAudience(verification, refusal)
    case 'claims':
      return describeClaims(verification, refusal)
  }
}

const neededSentences = {
  token: 'There is no token that could be read.',
  algorithm: 'This needs an alg that exists.',
  chosen: 'This needs a registered key that fits the header.',
  claims: 'This needs claims that can be read.',
} as const

function notChecked(
  check: PayloadCheckName | 'partner',
  needs: keyof typeof neededSentences,
): ExplainedCheck {
  return { check, outcome: 'not-checked', isTrusted: false, says: neededSentences[needs] }
}
