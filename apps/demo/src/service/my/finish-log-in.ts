import { normalizeIdentityNumber } from '@service-link/jwt-payload/receiver'
import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  ClientError,
  type Configuration,
  type IDToken,
  ResponseBodyError,
} from 'openid-client'
import { z } from 'zod'
import type { EIdSettings } from './e-id-settings.ts'
import { LogInProblem, type LogInProblemCode } from './log-in-problem.ts'
import { type LogInTransaction, transactionSeconds } from './log-in-transaction.ts'

/** Who has logged in at the issuer. */
export interface IdentifiedPerson {
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
