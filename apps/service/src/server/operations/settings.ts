import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { issuesOf, isThisMachine } from '@service-link/protocol-core'
import { defineError } from '@service-link/protocol-core/errors'
import * as z from 'zod'
import { readConnectTimeout } from '../database/postgres.ts'
import { trustedProxiesSchema } from '../http/client-address.ts'

/** A reason not to start that the operator can change. The message names settings and files, and no secret. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

/** Fewest characters of a key. The log-in library replaces an empty key by a public default. */
const minSecretLength = 32

export const settingsHelp = `Starts the demo service; or, with a command, does that and ends:

allow-organization <partner> <organization of the partner> <organization of the service, by its name or number>
               lets employees of that organization of the partner be linked to accounts of one more organization
end-sessions partner <id> | organization <name or number> | account <e-mail address>
               signs those employees out, in every process of the service

PORT           port to listen on, 0 for a free one (4280)
HOST           address to listen on (127.0.0.1)
PUBLIC_URL     where browsers reach it (http://localhost:<port>); with http and this port the service also listens on
               each address that the name has on this machine
DATABASE_URL   postgres://user:password@host:port/database of a PostgreSQL 15 or newer (the embedded database)
AUTH_SECRET    key of the sessions' cookies, ${minSecretLength} characters or more; the same for every process on one database
               (a key in the folder of the data)
SERVICE_DATA   folder of the embedded database and of the cookies' key (.data/service in the folder of the service)
PARTNERS_FILE  JSON array of the partners that may post: [{id, name, issuer?, policy?, keys: [{kid?, kind, …}]}];
               a change is taken over within seconds (none)
DEMO_ACCOUNTS  1: makes two accounts whose passwords everybody can read here, 0: makes none
               (1, but 0 where PUBLIC_URL is https on another host than localhost)
TRUSTED_PROXIES  addresses and CIDR ranges of the proxies before the service, with commas between; their X-Forwarded-For
               says whose address a caller has (none)
METRICS_PORT   port to serve metrics on, for Prometheus, 0 for a free one (they are not served)
METRICS_HOST   address to serve them on (127.0.0.1)
SESSION_HOURS  hours after which a session ends although it is used, 0.1 to 24 (12)
AUDIT_DAYS     how long the audit log is kept, in days (400)
DRAIN_SECONDS  how long requests are still taken after SIGTERM, while /health/ready says 503 (0)
GRACE_SECONDS  how long running requests may take at the end (10)
LOG_LEVEL      trace, debug, info, warn, error or silent (info)

EID_ISSUER           issuer of the national e-ID that consumers log in with (none: the consumer app is not set up)
EID_CLIENT_ID        what the issuer calls this service
EID_CLIENT_SECRET    its secret there, or:
EID_CLIENT_KEY_FILE  file with its private key as a JSON Web Key with alg and kid; the public half is registered there
EID_SSN_CLAIM        claim of the ID token that carries the identity number (ssn)
EID_SCOPE            what is asked for, with openid in it (openid)
EID_ACR_VALUES       security levels that are enough, by their acr values with spaces between (any)
`

/** An issuer on this machine may use http, for tests. */
const issuerSchema = z.url({ protocol: /^https?$/, error: 'must be an https address' }).refine(
  text => {
    const url = URL.parse(text)
    return url === null || url.protocol === 'https:' || isThisMachine(url.hostname)
  },
  { error: 'must be an https address; http is for an issuer on this machine only' },
)

/** Messages repeat a path. JSON in its place may be a key. */
const fileSchema = z
  .string()
  .regex(/^(?![\s{[]).+$/, { error: 'must be the name of a file, not what is in it' })

const eIdEnvironmentShape = {
  EID_ISSUER: issuerSchema.optional(),
  EID_CLIENT_ID: z.string().min(1).max(256).optional(),
  EID_CLIENT_SECRET: z.string().min(1).max(1024).optional(),
  EID_CLIENT_KEY_FILE: fileSchema.optional(),
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

const seconds = (fallback: number) => z.coerce.number().int().min(0).max(600).default(fallback)

const settingsSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(4280),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine(url => (URL.parse(url)?.pathname ?? '/') === '/', {
      error: 'must have no path: the service wants a host of its own',
    })
    .optional(),
  DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, error: 'must be a postgres:// or postgresql:// address' })
    .refine(url => !URL.canParse(url) || readConnectTimeout(url) !== undefined, {
      error: 'must have 1 to 600 whole seconds as its connect_timeout',
    })
    .optional(),
  AUTH_SECRET: z
    .string()
    .min(minSecretLength, { error: `must have at least ${minSecretLength} characters` })
    .optional(),
  SERVICE_DATA: z
    .string()
    .min(1)
    .default(join(import.meta.dirname, '..', '..', '..', '.data', 'service')),
  PARTNERS_FILE: fileSchema.optional(),
  DEMO_ACCOUNTS: z.enum(['0', '1']).optional(),
  TRUSTED_PROXIES: trustedProxiesSchema.optional(),
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  SESSION_HOURS: z.coerce.number().min(0.1).max(24).default(12),
  AUDIT_DAYS: z.coerce.number().int().min(1).max(36_500).default(400),
  DRAIN_SECONDS: seconds(0),
  GRACE_SECONDS: seconds(10),
  ...eIdEnvironmentShape,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

export const settingNames: readonly string[] = Object.keys(settingsSchema.shape)

export type Settings = z.output<typeof settingsSchema>

/** Reads the settings. An empty variable counts as none. Values may be secrets: a refusal names the variables only. */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const parsed = settingsSchema.safeParse(Object.fromEntries(given), { reportInput: true })
  if (parsed.success) return parsed.data
  const places = issuesOf(parsed.error).map(({ path, problem }) => `${path}: ${problem}`)
  throw new StartError(places.join('\n'))
}

export function operationsOf(settings: Settings) {
  const { METRICS_PORT: port, METRICS_HOST: host } = settings
  return {
    trustedProxies: settings.TRUSTED_PROXIES,
    sessionHours: settings.SESSION_HOURS,
    auditDays: settings.AUDIT_DAYS,
    drainMs: settings.DRAIN_SECONDS * 1000,
    graceMs: settings.GRACE_SECONDS * 1000,
    metrics: port === undefined ? undefined : { port, host },
  }
}

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
export async function readEIdSettings(environment: Settings): Promise<EIdSettings | undefined> {
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

async function readProof(environment: Settings): Promise<ClientProof> {
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

/**
 * The stored key that signs cookies cannot be used. The message does not contain it.
 *
 * @remedy Delete the file that the message names and start again: everybody signs in anew.
 * @retry no
 * @seenBy operator
 */
class AuthSecretError extends defineError('ERR_AUTH_SECRET') {}

/** Reads the key that signs cookies from the data folder. The first start makes it, readable by its owner only. */
export function readAuthSecret(folder: string): string {
  const path = join(folder, 'auth-secret')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!existsSync(path)) makeSecret(path)
  const secret = readFileSync(path, 'utf8')
  if (secret.length >= minSecretLength) return secret
  throw new AuthSecretError(
    `The file auth-secret in the data folder, the key that signs the cookies of sessions, has fewer than ${minSecretLength} characters. ` +
      'Delete it and start again: a new key is made, and everybody signs in anew.',
  )
}

/** Writes a new key atomically. If several processes start at once, the first key stays. */
function makeSecret(path: string): void {
  const draft = `${path}.${randomUUID()}`
  try {
    writeFileSync(draft, randomBytes(48).toString('base64url'), { mode: 0o600, flag: 'wx', flush: true })
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
