import {
  type ArgsIssue,
  assertParameter,
  issuesOf,
  type PayloadInput,
  payloadSchema,
} from '@service-link/protocol-core'
import { SignJWT } from 'jose'
import { PayloadShapeError, PayloadTimesError, PayloadTooLargeError } from '../errors/refusals.ts'
import {
  assertSigningKeySource,
  importSigningKey,
  type SigningKey,
  type SigningKeySource,
} from '../keys/signing-key.ts'
import { findTokenIdProblem, maxSpanSeconds } from '../verify/check-claims.ts'
import { assertClaimDepth, maxTokenBytes } from '../verify/read-token.ts'

/** Options of {@link signPayload}. */
export interface SignPayloadOptions {
  /** Address of the receiver, `{sso_url}/partner/payload`; becomes `aud`. */
  readonly audience: string
  /** Becomes `iss`: how the service finds the partner when the key has no `kid`. Default: none. */
  readonly issuer?: string
  /** From `iat` to `exp`, 1 to 300 seconds. Default 60: the post follows at once. */
  readonly expiresInSeconds?: number
  /** Header `kid`. Default: that of the key. */
  readonly keyId?: string
  /** Becomes `jti`, 1 to 256 characters; each token needs its own. Default: a random UUID. */
  readonly tokenId?: string
  /** Default: the machine's clock. */
  readonly clock?: () => Date
}

/**
 * Signs the payload of the partner link (specification 2.1 and 5.1): its claims at the top level of a JWT, with `iat`,
 * `exp`, `aud` and `jti`. The claims are checked as the receiver checks them, and sent as given.
 *
 * @param payload claims of specification 2.1; other claims are kept
 * @param key from `importSigningKey`, or a source, which is then imported each time
 * @returns the compact JWT for the form field `payload`
 * @throws {ParameterError} when `payload`, `key` or `options` is of another type
 * @throws {PayloadShapeError} when claims, `audience` or `tokenId` are missing or not acceptable, `issuer` or `keyId` is empty,
 * or a claim is the token's own (`exp`, `jti`, …)
 * @throws {PayloadMalformedError} when claims are nested deeper than 16 levels, or have more than 4,096 members and elements
 * @throws {PayloadTimesError} when `expiresInSeconds` is not 1 to 300
 * @throws {PayloadTooLargeError} when the token is longer than the receiver takes
 * @throws {KeyImportError} when the key cannot be used
 * @example
 * ```ts
 * import { importSigningKey, signPayload } from '@service-link/jwt-payload'
 *
 * const key = await importSigningKey({ kind: 'pkcs8', pem: privateKeyPem, kid: '2026' })
 * const token = await signPayload(
 *   { organizationId: 'org-1', employeeId: 'emp-7', contact: { id: '4711', firstname: 'Ada' } },
 *   key,
 *   { audience: 'https://sso.example/partner/payload', issuer: 'https://partner.example' },
 * )
 * ```
 */
export async function signPayload(
  payload: PayloadInput,
  key: SigningKey | SigningKeySource,
  options: SignPayloadOptions,
): Promise<string> {
  assertParameter('payload', payload, 'object')
  assertKey(key)
  assertParameter('options', options, 'object', { clock: 'function?' })
  const { expiresInSeconds = 60, tokenId = crypto.randomUUID() } = options
  assertClaims(payload, tokenId, options)
  if (!(Number.isInteger(expiresInSeconds) && expiresInSeconds >= 1 && expiresInSeconds <= maxSpanSeconds))
    throw new PayloadTimesError(`expiresInSeconds must be an integer from 1 to ${maxSpanSeconds}.`)
  const signingKey = 'material' in key ? key : await importSigningKey(key)
  const iat = Math.floor((options.clock?.() ?? new Date()).getTime() / 1000)
  const keyId = options.keyId ?? signingKey.keyId
  const token = await new SignJWT({
    ...payload,
    ...(options.issuer === undefined ? {} : { iss: options.issuer }),
    aud: options.audience,
    iat,
    exp: iat + expiresInSeconds,
    jti: tokenId,
  })
    .setProtectedHeader({
      alg: signingKey.algorithm,
      typ: 'JWT',
      ...(keyId === undefined ? {} : { kid: keyId }),
    })
    .sign(signingKey.material)
  // The receiver's limit counts the whole form, with the field's name.
  if (token.length + 'payload='.length > maxTokenBytes) throw new PayloadTooLargeError(maxTokenBytes)
  return token
}

function assertKey(key: SigningKey | SigningKeySource): void {
  assertParameter('key', key, 'object')
  if ('material' in key) assertParameter('key', key, 'object', { material: 'object', algorithm: 'text' })
  else assertSigningKeySource('key', key)
}

/** Claims of the token, not of the payload. */
const tokenClaims = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti']

function assertClaims(
  payload: PayloadInput,
  tokenId: string,
  { audience, issuer, keyId }: SignPayloadOptions,
): void {
  assertClaimDepth(payload)
  const issues: ArgsIssue[] = Object.keys(payload)
    .filter(name => tokenClaims.includes(name))
    .map(path => ({ path, problem: 'is set by signPayload itself; use its options' }))
  const tokenIdProblem = findTokenIdProblem(tokenId)
  if (tokenIdProblem !== undefined) issues.push({ path: 'jti', problem: tokenIdProblem })
  for (const [path, text] of Object.entries({ aud: audience, iss: issuer, kid: keyId }))
    if (!(isFilled(text) || (text === undefined && path !== 'aud')))
      issues.push({ path, problem: 'must be text of 1 character or more' })
  const parsed = payloadSchema.safeParse(payload)
  if (!parsed.success) issues.push(...issuesOf(parsed.error))
  if (issues.length > 0) throw new PayloadShapeError(issues)
}

/** Also checks the values of callers without types. */
function isFilled(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
