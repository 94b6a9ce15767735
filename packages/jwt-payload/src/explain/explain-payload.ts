import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { type ReceiverFacts, readBy, receiverFactsSchema } from '@service-link/protocol-core/person'
import { Refusal } from '../errors/refusals.ts'
import type { VerificationKeySource } from '../keys/verification-key.ts'
import { checkAudience, checkClaims, checkIssuer, checkTimes } from '../verify/check-claims.ts'
import { checkSignature, chooseKeys, readAlgorithm } from '../verify/check-signature.ts'
import type { UnverifiedToken } from '../verify/read-token.ts'
import {
  assertEndAllowed,
  readTerms,
  type VerifyPayloadOptions,
  verifyOptions,
} from '../verify/verify-payload.ts'
import {
  describeAudience,
  describeClaims,
  describeIssuer,
  describeJson,
  describeTimes,
} from './describe-claims.ts'
import { describeAlgorithm, describeKey, describeSignature } from './describe-signature.ts'
import { explainToken } from './explain-token.ts'
import type { Describe, ExplainedCheck, Findings, PayloadCheckName } from './explained-check.ts'
import { explainActive, explainPartner } from './find-partner.ts'

/** Options of {@link explainPayload}: those of `verifyPayload`, and some that help to find mistakes. */
export interface ExplainPayloadOptions extends VerifyPayloadOptions {
  /** The sources of `keys`: they reveal a text that was used as a secret by mistake. Default: not known. */
  readonly sources?: readonly VerificationKeySource[] | undefined
  /** What the receiver says of itself, from `discoverReceiver`: its algorithms and limits count. Default: the usual ones. */
  readonly receiver?: ReceiverFacts | undefined
  /**
   * Give it if `keys`, `issuer` and `policy` are one partner's whole registration: without `issuer` no `iss` is then
   * registered, and a token without `iss` is taken. Default: not known, so an `iss` may be registered.
   */
  readonly registration?:
    | { readonly isActive: boolean; readonly repeatable?: boolean | undefined }
    | undefined
}

/**
 * Walks a token through every check of the receiver, in its order. Tells in plain words which checks pass, which fail,
 * and what to change. After a failure, later checks are tried where they make sense, and marked as not trusted. The first
 * failed check is the one that a receiver with several partners refuses for. Facts that only the service knows are not
 * checked.
 *
 * The result holds names of claims, times, `iss`, `aud`, `kid` and `alg`, and no value that could be about a person.
 *
 * @param token compact JWT, or any other text
 * @returns each check once; never rejects because of the token
 * @throws {ParameterError} when `token` is no text, or an option is missing, of another type or not known
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
  assertParameter('options', options, 'closed', {
    ...verifyOptions,
    sources: 'list?',
    receiver: 'object?',
    registration: 'any',
  })
  if (options.receiver && readBy(receiverFactsSchema, options.receiver).issues)
    throw new ParameterError('options.receiver', 'what discoverReceiver gives')
  const { first, readable } = explainToken(token, options.receiver?.limits.formBytes)
  assertParameter('options.registration', options.registration, 'closed?', {
    isActive: 'boolean',
    repeatable: 'boolean?',
  })
  const isActive = options.registration?.isActive
  return readable
    ? [first, ...(await explainReadable(readable, options))]
    : [
        first,
        ...(['algorithm', 'partner', 'key', 'signature', 'json'] as const).map(notChecked),
        explainActive(false, isActive),
        ...(['issuer', 'times', 'audience', 'claims'] as const).map(notChecked),
        ...serviceChecks(false, false),
      ]
}

/** The steps of `verifyPayload`, each as a check. */
async function explainReadable(
  token: UnverifiedToken,
  options: ExplainPayloadOptions,
): Promise<ExplainedCheck[]> {
  const { registration, receiver, sources = [] } = options
  const terms = { ...readTerms(options), receiver, limits: receiver?.limits }
  const { header } = token
  const algorithm = await attempt(header, () => readAlgorithm(header, receiver?.algorithms))
  const chosen = await attempt(algorithm.value, alg => chooseKeys(header, alg, terms.keys, terms.now))
  const signed = await attempt(
    algorithm.value && chosen.value && { alg: algorithm.value, keys: chosen.value },
    ({ alg, keys }) => checkSignature(token, alg, keys, terms.signal),
  )
  const json = await attempt(token, () => token.claims())
  const issuer = await attempt(json.value, claims => checkIssuer(claims, terms.issuer, !registration))
  const times = await attempt(json.value, claims => checkTimes(claims, terms))
  const audience = await attempt(json.value, claims => checkAudience(claims, terms.audience, terms.policy))
  const claims = await attempt(json.value, value =>
    assertEndAllowed(checkClaims(value, terms.policy).payload, terms.ends),
  )

  const key = signed.value
  const isTrusted = key !== undefined
  const isBare = ['iat', 'exp', 'jti'].every(claim => json.value?.[claim] === undefined)
  const isRepeatable = registration?.repeatable === true && terms.policy === 'lenient' && isBare
  const found: Findings = {
    token,
    terms,
    sources,
    algorithm: algorithm.value,
    chosenKeys: chosen.value,
    key,
    claims: json.value,
  }
  return [
    await explain('algorithm', algorithm, found, false),
    explainPartner(token, { ...terms, isWhole: registration !== undefined }),
    await explain('key', chosen, found, false),
    await explain('signature', signed, found, isTrusted),
    await explain('json', json, found, isTrusted),
    explainActive(isTrusted, registration?.isActive),
    await explain('issuer', issuer, found, isTrusted),
    await explain('times', times, found, isTrusted),
    await explain('audience', audience, found, isTrusted),
    await explain('claims', claims, found, isTrusted),
    ...serviceChecks(isTrusted, isRepeatable),
  ]
}

interface Attempt<Value> {
  readonly isTried: boolean
  readonly value?: Value
  readonly refusal?: Refusal
}

/** Tries a step, unless an earlier step has failed to give its input. */
async function attempt<Needed, Value>(
  needed: Needed | undefined,
  step: (needed: Needed) => Value | Promise<Value>,
): Promise<Attempt<Value>> {
  if (needed === undefined) return { isTried: false }
  try {
    return { isTried: true, value: await step(needed) }
  } catch (error) {
    if (error instanceof Refusal) return { isTried: true, refusal: error }
    throw error
  }
}

const describeCheck: Readonly<Record<PayloadCheckName, Describe>> = {
  algorithm: describeAlgorithm,
  key: describeKey,
  signature: describeSignature,
  json: describeJson,
  issuer: describeIssuer,
  times: describeTimes,
  audience: describeAudience,
  claims: describeClaims,
}

async function explain(
  check: PayloadCheckName,
  { isTried, refusal }: Attempt<unknown>,
  found: Findings,
  isTrusted: boolean,
): Promise<ExplainedCheck> {
  if (!isTried) return notChecked(check)
  const words = await describeCheck[check](found, refusal)
  return refusal
    ? { check, outcome: 'failed', isTrusted, code: refusal.code, ...words }
    : { check, outcome: 'passed', isTrusted, ...words }
}

const noToken = 'There is no token that could be read.'
const noClaims = 'This needs claims that can be read.'

const missing: Readonly<Record<PayloadCheckName | 'partner', string>> = {
  algorithm: noToken,
  partner: noToken,
  key: 'This needs an alg that exists.',
  signature: 'This needs a registered key that fits the header.',
  json: noToken,
  issuer: noClaims,
  times: noClaims,
  audience: noClaims,
  claims: noClaims,
}

function notChecked(check: PayloadCheckName | 'partner'): ExplainedCheck {
  return { check, outcome: 'not-checked', isTrusted: false, says: missing[check] }
}

function serviceChecks(isTrusted: boolean, isRepeatable: boolean): readonly ExplainedCheck[] {
  const left = { outcome: 'not-checked', isTrusted } as const
  const says = 'Only the service knows how much you have posted in the last minute (ERR_RATE_LIMITED).'
  return [
    { ...left, check: 'rate', says },
    isRepeatable
      ? {
          check: 'replay',
          outcome: 'passed',
          isTrusted,
          says: 'The registration is repeatable, and the token has no iat, exp and jti: it is taken each time, for ever, from anybody who has it.',
          change: 'Use such a token for tests alone. Otherwise sign each one anew, with iat, exp and jti.',
        }
      : {
          ...left,
          check: 'replay',
          says: 'Only the service knows whether this token was posted before; each works once, also when it was posted for a try (ERR_PAYLOAD_REPLAYED).',
        },
  ]
}
