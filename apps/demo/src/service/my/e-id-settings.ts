import { z } from 'zod'
import { StartError } from '../start-error.ts'

/** Names that lead to this very machine, where a test issuer may do without https. */
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

const issuerSchema = z.url({ protocol: /^https?$/, error: 'must be an https address' }).refine(
  text => {
    const url = URL.parse(text)
    return url === null || url.protocol === 'https:' || loopbackNames.has(url.hostname)
  },
  { error: 'must be an https address; http is for an issuer on this machine only' },
)

/** The settings of the log-in through a national electronic ID, as environment variables. */
export const eIdEnvironmentShape = {
  EID_ISSUER: issuerSchema.optional(),
  EID_CLIENT_ID: z.string().min(1).max(256).optional(),
  EID_CLIENT_SECRET: z.string().min(1).max(1024).optional(),
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

/** See {@link eIdEnvironmentShape}. */
export type EIdEnvironment = z.output<z.ZodObject<typeof eIdEnvironmentShape>>

/** Lines on these settings for `npm run service -- --help`. */
export const eIdHelp = `EID_ISSUER         issuer of the national e-ID that consumers log in with (none: the consumer app is not set up)
EID_CLIENT_ID      what the issuer calls this service
EID_CLIENT_SECRET  its secret there
EID_SSN_CLAIM      claim of the ID token that carries the identity number (ssn)
EID_SCOPE          what is asked for, with openid in it (openid)
EID_ACR_VALUES     security levels that are enough, by their acr values with spaces between (any)
`

/** How the service uses a national electronic ID. */
export interface EIdSettings {
  /** Issuer identifier; `<issuer>/.well-known/openid-configuration` describes the rest. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** Claim of the ID token that carries the identity number. Default `ssn`. */
  readonly ssnClaim?: string
  /** Default `openid`. */
  readonly scope?: string
  /** `acr` values of which the ID token must have one. Default none: any is enough. */
  readonly acrValues?: readonly string[]
}

/**
 * Puts the settings together.
 *
 * @returns `undefined` when there is no issuer: the consumer app is not set up
 * @throws {StartError} when an issuer is given without client id and secret
 */
export function eIdSettingsOf(environment: EIdEnvironment): EIdSettings | undefined {
  const { EID_ISSUER, EID_CLIENT_ID, EID_CLIENT_SECRET } = environment
  if (EID_ISSUER === undefined) return undefined
  if (EID_CLIENT_ID === undefined || EID_CLIENT_SECRET === undefined)
    throw new StartError('EID_ISSUER needs EID_CLIENT_ID and EID_CLIENT_SECRET.')
  return {
    issuer: EID_ISSUER,
    clientId: EID_CLIENT_ID,
    clientSecret: EID_CLIENT_SECRET,
    ssnClaim: environment.EID_SSN_CLAIM,
    scope: environment.EID_SCOPE,
    acrValues: environment.EID_ACR_VALUES,
  }
}
