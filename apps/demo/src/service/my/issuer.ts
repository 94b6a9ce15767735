import { normalizeIdentityNumber } from '@service-link/jwt-payload/receiver'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
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
import { z } from 'zod'
import type { ClientProof, EIdSettings } from './e-id-settings.ts'
import { type LogInTransaction, transactionSeconds } from './log-in-transaction.ts'

/** Why a log-in through the electronic ID came to nothing, with the status of the page that says so and its sentence. */
export const logInProblems = {
  ERR_EID_NOT_SET_UP: [404, 'This service has no log-in through an electronic ID.'],
  ERR_EID_UNAVAILABLE: [
    503,
    'The electronic ID cannot be reached at the moment. Try again in a few minutes.',
  ],
  ERR_EID_GONE: [400, 'This log-in took too long, is finished, or was begun in another browser. Begin anew.'],
  ERR_EID_CANCELLED: [403, 'You were not logged in: the electronic ID did not confirm it.'],
  ERR_EID_ANSWER: [400, 'The answer of the electronic ID does not belong to this log-in. Begin anew.'],
  ERR_EID_NO_NUMBER: [
    403,
    'The electronic ID did not tell your identity number, without which your workouts cannot be found.',
  ],
  ERR_EID_LEVEL: [403, 'That way of logging in is not secure enough here. Choose another one.'],
  ERR_UNAVAILABLE: [503, 'The service cannot do that at the moment. Try again in a minute.'],
  ERR_EID_TOO_MANY: [429, 'There were too many log-ins from your network. Wait a minute and try again.'],
} as const satisfies Record<string, readonly [status: number, sentence: string]>

/** A stable code of {@link logInProblems}. */
export type LogInProblemCode = keyof typeof logInProblems

/** A log-in that came to nothing. Holds nothing of what the issuer answered, which may be a person's. */
export class LogInProblem extends ServiceLinkError<LogInProblemCode> {
  readonly code: LogInProblemCode

  constructor(code: LogInProblemCode) {
    super(logInProblems[code][1])
    this.code = code
  }
}

/** How often its description is asked for before a visitor is told that it cannot be reached. */
const attempts = 2
/** How long a description counts, in milliseconds: keys and addresses change rarely. */
const freshMs = 60 * 60 * 1000

interface IssuerConnectionOptions {
  /** Longest wait for one answer of the issuer, in seconds. Default 5. */
  readonly answerSeconds?: number
  /** Milliseconds since any fixed moment. Default: the machine's steady clock. */
  readonly now?: () => number
}

/** The issuer, as far as it is known. */
export interface IssuerConnection {
  /**
   * The issuer's description, asked for when it is first needed and every hour.
   *
   * @throws {LogInProblem} `ERR_EID_UNAVAILABLE`
   */
  get(): Promise<Configuration>
  /** The same where it is known already; for what must not wait, such as a sign-out. */
  known(): Configuration | undefined
}

/** Connects to an issuer when somebody wants to log in, so that the service starts and works without it. */
export function issuerConnection(
  settings: EIdSettings,
  options: IssuerConnectionOptions = {},
): IssuerConnection {
  const { answerSeconds = 5, now = () => performance.now() } = options
  let known: { readonly configuration: Configuration; readonly since: number } | undefined
  let asking: Promise<Configuration> | undefined
  const ask = async () => {
    const configuration = await discover(settings, answerSeconds)
    known = { configuration, since: now() }
    return configuration
  }
  return {
    async get() {
      if (known && now() - known.since < freshMs) return known.configuration
      asking ??= ask().finally(() => {
        asking = undefined
      })
      try {
        return await asking
      } catch {
        // A description of some hours ago is better than none: what has changed shows when it is used.
        if (known) return known.configuration
        throw new LogInProblem('ERR_EID_UNAVAILABLE')
      }
    },
    known: () => known?.configuration,
  }
}

async function discover(settings: EIdSettings, answerSeconds: number): Promise<Configuration> {
  const url = new URL(settings.issuer)
  const proof = await proofOf(settings)
  // The settings allow http on this machine only.
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

/** How the service proves at the token endpoint who it is. */
async function proofOf(proof: ClientProof): Promise<ClientAuth> {
  if ('clientSecret' in proof) return ClientSecretBasic(proof.clientSecret)
  const { alg, kid } = proof.clientKey
  const key = await importJWK(proof.clientKey, alg)
  if (key instanceof Uint8Array) throw new TypeError('A shared secret is no private key.')
  return PrivateKeyJwt({ key, kid })
}

/** The person who has logged in at the issuer. */
interface IdentifiedPerson {
  /** National identity number, in the form in which two are compared. */
  readonly identityNumber: string
  /** As the issuer tells it; may be empty. */
  readonly name: string
}

/** How far the issuer's clock may go after the service's, in seconds. */
const clockToleranceSeconds = 30

/** Errors by which the issuer says that it has a difficulty of its own. */
const issuerDifficulties = new Set(['server_error', 'temporarily_unavailable'])

/**
 * Turns the issuer's answer into the person: checks issuer, state, code, PKCE, the ID token's signature, audience, times and
 * nonce, that the person proved who they are during this very log-in, and at which level.
 *
 * @param callback the address that the issuer sent the browser to
 * @throws {LogInProblem}
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
  // Not one of earlier, which the issuer's page may have left open: devices are shared.
  if (!(Number(claims?.auth_time) >= startedAt - clockToleranceSeconds))
    throw new LogInProblem('ERR_EID_ANSWER')
  const { acrValues = [], ssnClaim = 'ssn' } = settings
  if (acrValues.length > 0 && !(typeof claims?.acr === 'string' && acrValues.includes(claims.acr)))
    throw new LogInProblem('ERR_EID_LEVEL')
  const number = z.string().safeParse(claims?.[ssnClaim]).data
  const identityNumber = number === undefined ? undefined : normalizeIdentityNumber(number)
  if (identityNumber === undefined) throw new LogInProblem('ERR_EID_NO_NUMBER')
  const name = z.string().trim().max(256).safeParse(claims?.name).data ?? ''
  return { identityNumber, name }
}

function problemOf(error: unknown): LogInProblemCode {
  if (error instanceof AuthorizationResponseError)
    return issuerDifficulties.has(error.error) ? 'ERR_EID_UNAVAILABLE' : 'ERR_EID_CANCELLED'
  if (error instanceof ResponseBodyError)
    return error.status >= 500 ? 'ERR_EID_UNAVAILABLE' : 'ERR_EID_ANSWER'
  // What `fetch` throws where there is no answer.
  if (error instanceof TypeError) return 'ERR_EID_UNAVAILABLE'
  if (error instanceof ClientError) {
    if (error.code === 'OAUTH_TIMEOUT' || error.cause instanceof TypeError) return 'ERR_EID_UNAVAILABLE'
    if (error.cause instanceof Response && error.cause.status >= 500) return 'ERR_EID_UNAVAILABLE'
  }
  return 'ERR_EID_ANSWER'
}
