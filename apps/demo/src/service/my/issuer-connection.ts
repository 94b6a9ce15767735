import { importJWK } from 'jose'
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  type Configuration,
  discovery,
  enableNonRepudiationChecks,
  PrivateKeyJwt,
} from 'openid-client'
import type { ClientProof, EIdSettings } from './e-id-settings.ts'
import { LogInProblem } from './log-in-problem.ts'

/** How often its description is asked for before a visitor is told that it cannot be reached. */
const attempts = 2
/** How long a description counts, in milliseconds: keys and addresses change rarely. */
const freshMs = 60 * 60 * 1000

/** Options of {@link issuerConnection}. */
export interface IssuerConnectionOptions {
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
