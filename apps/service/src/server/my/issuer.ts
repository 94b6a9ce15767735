import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { normalizeIdentityNumber } from '@service-link/protocol-core/person'
import { importJWK } from 'jose'
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  type ClientAuth,
  ClientError,
  ClientSecretBasic,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  type IDToken,
  PrivateKeyJwt,
  ResponseBodyError,
} from 'openid-client'
import * as z from 'zod'
import type { ClientProof, EIdSettings } from '../operations/settings.ts'

/** The status of each problem's page, which has the sentence in its reader's language. */
export const logInStatus = {
  /**
   * The service has no `EID_ISSUER`.
   *
   * @remedy Set `EID_ISSUER` and its kin, or do not offer the log-in.
   * @retry no
   * @seenBy operator
   */
  ERR_EID_NOT_SET_UP: 404,
  /**
   * The issuer of the electronic ID did not answer, or reported a fault of its own.
   *
   * @remedy Wait a few minutes. Operators check whether the issuer can be reached.
   * @retry yes
   * @seenBy user, operator
   */
  ERR_EID_UNAVAILABLE: 503,
  /**
   * The log-in took over ten minutes, is finished already, or was begun in another browser.
   *
   * @remedy Begin the log-in again, in one browser.
   * @retry from the beginning
   * @seenBy user
   */
  ERR_EID_GONE: 400,
  /**
   * The person canceled the log-in, or the issuer refused it.
   *
   * @remedy Begin the log-in again.
   * @retry from the beginning
   * @seenBy user
   */
  ERR_EID_CANCELLED: 403,
  /**
   * The answer belongs to another log-in, or is not the issuer’s.
   *
   * @remedy Begin the log-in again. Operators check `EID_ISSUER` and the client’s registration.
   * @retry from the beginning
   * @seenBy user, operator
   */
  ERR_EID_ANSWER: 400,
  /**
   * The ID token has no identity number in `EID_SSN_CLAIM`.
   *
   * @remedy Have the issuer send the identity number in the claim that `EID_SSN_CLAIM` names.
   * @retry no
   * @seenBy operator, user
   */
  ERR_EID_NO_NUMBER: 403,
  /**
   * The `acr` of the log-in is none of `EID_ACR_VALUES`.
   *
   * @remedy Log in by a more secure way. Operators check `EID_ACR_VALUES`.
   * @retry by another way
   * @seenBy user, operator
   */
  ERR_EID_LEVEL: 403,
  ERR_UNAVAILABLE: 503,
  /**
   * One address made more than 240 steps of log-ins in a minute.
   *
   * @remedy Wait a minute.
   * @retry after a minute
   * @seenBy user, operator
   */
  ERR_EID_TOO_MANY: 429,
} as const

export type LogInProblemCode = keyof typeof logInStatus

/** A failed log-in. Contains nothing of the issuer's answer, which may be personal. */
export class LogInProblem extends ServiceLinkError<LogInProblemCode> {
  readonly code: LogInProblemCode

  constructor(code: LogInProblemCode) {
    super(`The log-in failed: ${code}.`)
    this.code = code
  }
}

const attempts = 2
const freshMs = 60 * 60 * 1000

interface IssuerConnectionOptions {
  /** Longest wait for one answer of the issuer, in seconds. Default 5. */
  readonly answerSeconds?: number
  readonly now?: () => number
}

export type IssuerConnection = ReturnType<typeof issuerConnection>

/** Connects to an issuer at the first log-in, so that the service starts without it. */
export function issuerConnection(settings: EIdSettings, options: IssuerConnectionOptions = {}) {
  const { answerSeconds = 5, now = () => performance.now() } = options
  let known: { readonly configuration: Configuration; readonly since: number } | undefined
  let asking: Promise<Configuration> | undefined
  const ask = async () => {
    const configuration = await discover(settings, answerSeconds)
    known = { configuration, since: now() }
    return configuration
  }
  return {
    settings,
    /** The issuer's metadata, loaded at first use and every hour. */
    async get(): Promise<Configuration> {
      if (known && now() - known.since < freshMs) return known.configuration
      asking ??= ask().finally(() => {
        asking = undefined
      })
      try {
        return await asking
      } catch {
        // Old metadata are better than none. A change shows when they are used.
        if (known) return known.configuration
        throw new LogInProblem('ERR_EID_UNAVAILABLE')
      }
    },
    /** The metadata if they are already loaded, for work that must not wait, such as a sign-out. */
    known: () => known?.configuration,
  }
}

async function discover(settings: EIdSettings, answerSeconds: number): Promise<Configuration> {
  const url = new URL(settings.issuer)
  const proof = await proofOf(settings)
  // The settings accept http on this machine only.
  const isInsecure = url.protocol === 'http:'
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await discovery(url, settings.clientId, undefined, proof, {
        timeout: answerSeconds,
        execute: [enableNonRepudiationChecks, ...(isInsecure ? [allowInsecureRequests] : [])],
      })
    } catch (error) {
      if (attempt === attempts) throw error
    }
  }
}

async function proofOf(proof: ClientProof): Promise<ClientAuth> {
  if ('clientSecret' in proof) return ClientSecretBasic(proof.clientSecret)
  const { alg, kid } = proof.clientKey
  const key = await importJWK(proof.clientKey, alg)
  if (key instanceof Uint8Array) throw new TypeError('A shared secret is no private key.')
  return PrivateKeyJwt({ key, kid })
}

interface IdentifiedPerson {
  /** National identity number without white space. */
  readonly identityNumber: string
  /** Name from the issuer; may be empty. */
  readonly name: string
}

/** Longest log-in. */
export const transactionSeconds = 10 * 60

export const transactionSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  /** Start of the log-in, in seconds since 1970. */
  startedAt: z.int(),
})

export type LogInTransaction = z.output<typeof transactionSchema>

const clockToleranceSeconds = 30

/** OAuth errors of a failing issuer. */
const issuerDifficulties = new Set(['server_error', 'temporarily_unavailable'])

/**
 * Exchanges the issuer's answer for the person. Checks issuer, state, code and PKCE; the ID token's signature,
 * audience, times and nonce; that the person authenticated during this log-in; and the level of assurance.
 */
export async function finishLogIn(
  configuration: Configuration,
  settings: EIdSettings,
  callback: URL,
  { state, nonce, codeVerifier, startedAt }: LogInTransaction,
): Promise<IdentifiedPerson> {
  let claims: IDToken | undefined
  try {
    const tokens = await authorizationCodeGrant(configuration, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
      maxAge: transactionSeconds,
    })
    claims = tokens.claims()
  } catch (error) {
    throw new LogInProblem(problemOf(error))
  }
  // An earlier session at the issuer does not count, because devices are shared.
  if (!(Number(claims?.auth_time) >= startedAt - clockToleranceSeconds))
    throw new LogInProblem('ERR_EID_ANSWER')
  const { acrValues = [], ssnClaim = 'ssn' } = settings
  if (acrValues.length > 0 && !(typeof claims?.acr === 'string' && acrValues.includes(claims.acr)))
    throw new LogInProblem('ERR_EID_LEVEL')
  const number = z.string().safeParse(claims?.[ssnClaim]).data
  // With its century: the normalized number finds contacts, and this one tells which of them are meant.
  const identityNumber = number?.replaceAll(/\s+/gu, '') ?? ''
  if (normalizeIdentityNumber(identityNumber) === undefined || identityNumber.length > 32)
    throw new LogInProblem('ERR_EID_NO_NUMBER')
  const name = z.string().trim().max(256).safeParse(claims?.name).data ?? ''
  return { identityNumber, name }
}

function problemOf(error: unknown): LogInProblemCode {
  if (error instanceof AuthorizationResponseError)
    return issuerDifficulties.has(error.error) ? 'ERR_EID_UNAVAILABLE' : 'ERR_EID_CANCELLED'
  if (error instanceof ResponseBodyError)
    return error.status >= 500 ? 'ERR_EID_UNAVAILABLE' : 'ERR_EID_ANSWER'
  // `fetch` throws a TypeError without an answer.
  if (error instanceof TypeError) return 'ERR_EID_UNAVAILABLE'
  if (error instanceof ClientError) {
    if (error.code === 'OAUTH_TIMEOUT' || error.cause instanceof TypeError) return 'ERR_EID_UNAVAILABLE'
    if (error.cause instanceof Response && error.cause.status >= 500) return 'ERR_EID_UNAVAILABLE'
  }
  return 'ERR_EID_ANSWER'
}
