import { readFile } from 'node:fs/promises'
import { isThisMachine } from '@service-link/protocol-core'
import * as z from 'zod'
import { StartError } from '../operations/start-error.ts'

/** An issuer on this machine may use http, for tests. */
const issuerSchema = z.url({ protocol: /^https?$/, error: 'must be an https address' }).refine(
  text => {
    const url = URL.parse(text)
    return url === null || url.protocol === 'https:' || isThisMachine(url.hostname)
  },
  { error: 'must be an https address; http is for an issuer on this machine only' },
)

export const eIdEnvironmentShape = {
  EID_ISSUER: issuerSchema.optional(),
  EID_CLIENT_ID: z.string().min(1).max(256).optional(),
  EID_CLIENT_SECRET: z.string().min(1).max(1024).optional(),
  EID_CLIENT_KEY_FILE: z.string().min(1).optional(),
  EID_SSN_CLAIM: z.string().min(1).max(256).default('ssn'),
  EID_SCOPE: z
    .string()
    .regex(/^(.* )?openid( .*)?$/, { error: 'must contain openid' })
    .default('openid'),
  EID_ACR_VALUES: z
    .string()
    .transform(text => text.split(/\s+/).filter(Boolean))
    .default([]),
}

type EIdEnvironment = z.output<z.ZodObject<typeof eIdEnvironmentShape>>

export const eIdHelp = `EID_ISSUER           issuer of the national e-ID that consumers log in with (none: the consumer app is not set up)
EID_CLIENT_ID        what the issuer calls this service
EID_CLIENT_SECRET    its secret there, or:
EID_CLIENT_KEY_FILE  file with its private key as a JSON Web Key with alg and kid; the public half is registered there
EID_SSN_CLAIM        claim of the ID token that carries the identity number (ssn)
EID_SCOPE            what is asked for, with openid in it (openid)
EID_ACR_VALUES       security levels that are enough, by their acr values with spaces between (any)
`

const clientKeySchema = z.looseObject({
  kty: z.enum(['RSA', 'EC', 'OKP']),
  alg: z.enum(['RS256', 'PS256', 'ES256', 'EdDSA']),
  kid: z.string().min(1),
  d: z.string().min(1),
})

type ClientKey = z.output<typeof clientKeySchema>

/** The service's credential at the issuer: a secret, or a key (`private_key_jwt`). */
export type ClientProof = { readonly clientSecret: string } | { readonly clientKey: ClientKey }

export type EIdSettings = EIdIssuerSettings & ClientProof

/** {@link EIdSettings} without the service's credential. */
export interface EIdIssuerSettings {
  readonly issuer: string
  readonly clientId: string
  /** Claim of the ID token that carries the identity number. Default `ssn`. */
  readonly ssnClaim?: string
  readonly scope?: string
  /** Accepted `acr` values of the ID token. Default: all. */
  readonly acrValues?: readonly string[]
}

/** Reads the settings from their variables; `undefined` without an issuer. */
export async function readEIdSettings(environment: EIdEnvironment): Promise<EIdSettings | undefined> {
  const { EID_ISSUER, EID_CLIENT_ID } = environment
  if (EID_ISSUER === undefined) return undefined
  if (EID_CLIENT_ID === undefined) throw new StartError('EID_ISSUER needs EID_CLIENT_ID.')
  return {
    ...(await readProof(environment)),
    issuer: EID_ISSUER,
    clientId: EID_CLIENT_ID,
    ssnClaim: environment.EID_SSN_CLAIM,
    scope: environment.EID_SCOPE,
    acrValues: environment.EID_ACR_VALUES,
  }
}

async function readProof(environment: EIdEnvironment): Promise<ClientProof> {
  const { EID_CLIENT_SECRET: clientSecret, EID_CLIENT_KEY_FILE: path } = environment
  if ((clientSecret === undefined) === (path === undefined))
    throw new StartError('EID_ISSUER needs either EID_CLIENT_SECRET or EID_CLIENT_KEY_FILE.')
  if (clientSecret !== undefined) return { clientSecret }
  const content = await readFile(path ?? '', 'utf8')
    .then(JSON.parse)
    .catch(() => undefined)
  const key = clientKeySchema.safeParse(content)
  if (key.success) return { clientKey: key.data }
  throw new StartError(
    `EID_CLIENT_KEY_FILE: ${path} cannot be read, or is no private JSON Web Key with kid and alg (RS256, PS256, ES256 or EdDSA).`,
  )
}
