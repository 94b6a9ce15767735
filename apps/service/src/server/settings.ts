import { join } from 'node:path'
import { issuesOf } from '@service-link/protocol-core'
import * as z from 'zod'
import { minSecretLength } from './auth/auth-secret.ts'
import { endSessionsUsage } from './auth/end-sessions.ts'
import { readConnectTimeout } from './database/postgres.ts'
import { parseTrustedProxies, type TrustedProxies, TrustedProxiesError } from './http/client-address.ts'
import { eIdEnvironmentShape, eIdHelp } from './my/e-id-settings.ts'
import { StartError } from './operations/start-error.ts'
import { allowOrganizationUsage } from './partner-link/account-links.ts'

export const settingsHelp = `Starts the demo service; or, with a command, does that and ends:

${allowOrganizationUsage}
               lets employees of that organization of the partner be linked to accounts of one more organization
${endSessionsUsage}
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
               a change is taken over within seconds (the partners that the database has)
DEMO_ACCOUNTS  1: makes two accounts whose passwords everybody can read here, 0: makes none
               (1, but 0 where PUBLIC_URL is https on another host than localhost)
TRUSTED_PROXIES  number of proxies before the service, or their addresses and CIDR ranges with commas between;
               they say whose address a caller has (0)
FORWARDED_HEADER  the header in which they do: x-forwarded-for or forwarded (x-forwarded-for)
METRICS_PORT   port to serve metrics on, for Prometheus, 0 for a free one (they are not served)
METRICS_HOST   address to serve them on (127.0.0.1)
SESSION_HOURS  hours after which a session ends although it is used, 0.1 to 24 (12)
AUDIT_DAYS     how long the audit log is kept, in days (400)
DRAIN_SECONDS  how long requests are still taken after SIGTERM, while /health/ready says 503 (0)
GRACE_SECONDS  how long running requests may take at the end (10)
LOG_LEVEL      trace, debug, info, warn, error or silent (info)

${eIdHelp}`

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
    .default(join(import.meta.dirname, '..', '..', '.data', 'service')),
  PARTNERS_FILE: z.string().min(1).optional(),
  DEMO_ACCOUNTS: z.enum(['0', '1']).optional(),
  TRUSTED_PROXIES: z
    .string()
    .default('0')
    .transform((text, context): TrustedProxies => {
      try {
        return parseTrustedProxies(text)
      } catch (error) {
        if (!(error instanceof TrustedProxiesError)) throw error
        context.addIssue({ code: 'custom', message: error.message })
        return z.NEVER
      }
    }),
  FORWARDED_HEADER: z.enum(['x-forwarded-for', 'forwarded']).default('x-forwarded-for'),
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
    proxies: { trustedProxies: settings.TRUSTED_PROXIES, forwardedHeader: settings.FORWARDED_HEADER },
    sessionHours: settings.SESSION_HOURS,
    auditDays: settings.AUDIT_DAYS,
    drainMs: settings.DRAIN_SECONDS * 1000,
    graceMs: settings.GRACE_SECONDS * 1000,
    metrics: port === undefined ? undefined : { port, host },
  }
}
