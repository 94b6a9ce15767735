import { assertParameter, ParameterError } from '@service-link/protocol-core/errors'
import { claimsFromPayload, type EndClaims, type PayloadClaims } from '@service-link/protocol-core/person'
import type { CryptoKey, KeyObject } from 'jose'
import { CompactSign } from 'jose/jws/compact/sign'
import { findNearClaims } from '../claims/near-claims.ts'
import { PayloadTooLargeError } from '../errors/refusals.ts'
import { payloadAlgorithms } from '../keys/algorithms.ts'
import { givenKeyId } from '../keys/jwk.ts'
import type { SigningKey, SigningKeySource } from '../keys/signing-key.ts'
import { maxSpanSeconds } from '../verify/check-claims.ts'
import { type JsonObject, maxTokenBytes } from '../verify/read-token.ts'
import { assertClaims, assertPayload } from './sent-claims.ts'
import type { PayloadSigner } from './sign-by-signer.ts'

/** Everything that signs: a key of `importSigningKey`, a source of one, a key that the program holds, or a signer. */
export type SigningMeans = SigningKey | SigningKeySource | CryptoKey | KeyObject | PayloadSigner

/** Options of {@link signPayload}. */
export interface SignPayloadOptions {
  /** Address of the receiver, `{sso_url}/partner/payload`; becomes `aud`. */
  readonly audience: string
  /** Becomes `iss`: how the service finds the partner when the key has no `kid`, and then needed. Default: none. */
  readonly issuer?: string | undefined
  /** From `iat` to `exp`, 1 to 300 seconds. Default 60: the post follows at once. */
  readonly expiresInSeconds?: number | undefined
  /** Header `kid`. Default: that of the key. */
  readonly keyId?: string | undefined
  /** Becomes `jti`, 1 to 256 characters; each token needs its own. Default: a random UUID. */
  readonly tokenId?: string | undefined
  /** Default: the machine's clock. */
  readonly clock?: (() => Date) | undefined
  /** Ends the wait for a signer of your own; its reason is thrown. Default: nothing ends it. */
  readonly signal?: AbortSignal | undefined
}

/**
 * Signs the payload of the partner link (spec 2.1 and 5.1): its claims at the top level of a JWT, with `iat`,
 * `exp`, `aud` and `jti`. The claims are checked as the receiver checks them, and sent as given.
 *
 * A claim in `extra` whose name is nearly one of the specification is warned of, by `process.emitWarning`, unless
 * `NODE_ENV` is `production`.
 *
 * @param payload claims of spec 2.1, or of a signed end (`end`, without a contact); others in `extra`
 * @param key from `importSigningKey`; a source or a key, which is then imported each time; or a signer, such as a key vault
 * @param options the receiver's address, by which name the service finds the partner, and how long the token lives
 * @returns the compact JWT for the form field `payload`
 * @throws {ParameterError} when `payload`, `key` or `options` is of another type or has a property that is not known,
 * `extra` has a claim of the specification, `audience` is no absolute http(s) URL, `issuer` or `keyId` is empty, or the token would
 * name nobody: no `kid` and no `issuer`
 * @throws {PayloadShapeError} when claims are missing or not acceptable, JSON does not carry one (a function, `NaN`, a `Map`), `tokenId`
 * is not acceptable, or a claim is the token's own (`exp`, `jti`, …); its `issues` name each
 * @throws {PayloadMalformedError} when claims are nested deeper than 16 levels, or have more than 4,096 members and elements
 * @throws {PayloadTooLargeError} when the form with the token is longer than 64 KiB, which the receiver takes
 * @throws {KeyImportError} when the key cannot be used, or a signer returns no signature of its algorithm
 * @throws what a signer throws, or the signal's reason, when it aborts while a signer is at work
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
  payload: PayloadClaims | EndClaims,
  key: SigningMeans,
  options: SignPayloadOptions,
): Promise<string> {
  assertPayload(payload)
  const claims = claimsFromPayload(payload)
  if (globalThis.process?.env?.NODE_ENV !== 'production')
    for (const { given, meant } of findNearClaims(claims))
      globalThis.process?.emitWarning?.(
        `The service reads no claim ${given}. Did you mean ${meant}, beside extra?`,
        'PayloadWarning',
      )
  return signClaims(claims, key, options)
}

const utf8 = new TextEncoder()

/** Loaded when a source or a bare key is given: it is as large as the rest. */
const loadImport = () => import('../keys/signing-key.ts')

/** {@link signPayload} for claims as they travel. */
export async function signClaims(
  claims: JsonObject,
  key: SigningMeans,
  options: SignPayloadOptions,
): Promise<string> {
  await assertKey(key)
  // Those that are `any` are checked below.
  assertParameter('options', options, 'closed', {
    audience: 'any',
    issuer: 'any',
    expiresInSeconds: { what: 'a whole number of seconds', most: maxSpanSeconds, isWhole: true },
    keyId: 'any',
    tokenId: 'any',
    clock: 'clock?',
    signal: 'signal?',
  })
  const { expiresInSeconds = 60, tokenId = crypto.randomUUID() } = options
  await assertNames(options)
  assertClaims(claims, tokenId, options.issuer)
  const signing = 'material' in key || isSigner(key) ? key : await (await loadImport()).importSigningKey(key)
  const { algorithm } = signing
  const iat = Math.floor((options.clock?.() ?? new Date()).getTime() / 1000)
  const kid =
    options.keyId ?? ('material' in signing ? signing.keyId : givenKeyId('signer', signing.kid, undefined))
  if (kid === undefined && options.issuer === undefined)
    throw new ParameterError(
      'options.keyId',
      'text',
      'is missing, and the key has no kid. Give keyId, or issuer, as it is registered.',
    )
  const header = { alg: algorithm, typ: 'JWT', ...(kid === undefined ? {} : { kid }) }
  const exp = iat + expiresInSeconds
  const all = { ...claims, iss: options.issuer, aud: options.audience, iat, exp, jti: tokenId }
  const content = utf8.encode(JSON.stringify(all))
  const token =
    'material' in signing
      ? await new CompactSign(content).setProtectedHeader(header).sign(signing.material)
      : await (await import('./sign-by-signer.ts')).signBySigner(signing, header, content, options.signal)
  // The receiver's limit counts the whole form, with the field's name.
  if (token.length + 'payload='.length > maxTokenBytes) throw new PayloadTooLargeError(maxTokenBytes)
  return token
}

async function assertKey(key: SigningMeans): Promise<void> {
  if (typeof key !== 'object' || key === null) (await loadImport()).assertSigningKeySource('key', key)
  else if ('material' in key)
    assertParameter('key', key, 'object', { material: 'object', algorithm: payloadAlgorithms })
  else if (isSigner(key)) {
    // It may have members of its own, but none in the place of the kid.
    if ('keyId' in key) throw new ParameterError('key.keyId', 'kid', 'is not known. Did you mean kid?')
    assertParameter('key', key, 'object', { algorithm: payloadAlgorithms, kid: 'text?', sign: 'function' })
  } else {
    const { assertSigningKeySource, isKey } = await loadImport()
    if (!isKey(key)) assertSigningKeySource('key', key)
  }
}

/** An address of a receiver, in most spellings. */
const plainAddress = /^https?:\/\/(?!undefined|null)[\w.-]+(?::\d+)?(?:\/[\w./~-]*)?$/

/** Loads the sentences when something looks wrong. */
async function assertNames({ audience, issuer, keyId }: SignPayloadOptions): Promise<void> {
  const isPlain = (name: unknown) => name === undefined || (typeof name === 'string' && /^\S+$/.test(name))
  if (typeof audience === 'string' && plainAddress.test(audience) && isPlain(issuer) && isPlain(keyId)) return
  const { assertAddress, assertName } = await import('../http/receiver-address.ts')
  assertAddress('options.audience', audience)
  assertName('options.issuer', issuer)
  assertName('options.keyId', keyId)
}

function isSigner(key: object): key is PayloadSigner {
  return Reflect.get(key, 'kind') === 'signer'
}
