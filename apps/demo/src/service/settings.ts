import { join } from 'node:path'
import { issuesOf } from '@service-link/protocol-core'
import { z } from 'zod'
import { minSecretLength } from './auth/auth-secret.ts'
import { demoAccountsHelp, demoAccountsShape } from './auth/demo-accounts-setting.ts'
import { readConnectTimeout } from './database/postgres/read-connect-timeout.ts'
import { eIdEnvironmentShape, eIdHelp } from './my/e-id-settings.ts'
import { allowOrganizationUsage } from './operations/allow-organization.ts'
import { operationsHelp, operationsShape } from './operations/operations-settings.ts'
import { StartError } from './start-error.ts'

/** Text of `npm run service -- --help`. */
export const settingsHelp = `Starts the demo service; or, with a command, does that and ends:

${allowOrganizationUsage}
               lets employees of that organization of the partner be linked to accounts of one more organization

PORT           port to listen on, 0 for a free one (4280)
HOST           address to listen on (127.0.0.1)
PUBLIC_URL     where browsers reach it (http://localhost:<port>)
DATABASE_URL   postgres://user:password@host:port/database of a PostgreSQL 15 or newer (the embedded database)
AUTH_SECRET    key of the sessions' cookies, ${minSecretLength} characters or more; the same for every process on one database
               (a key in the folder of the data)
SERVICE_DATA   folder of the embedded database and of the cookies' key (.data/service in the folder of the demo)
PARTNERS_FILE  JSON array of the partners that may post: [{id, name, issuer?, policy?, keys: [{kid?, kind, …}]}];
               a change is taken over within seconds (the partners that the database has)
${demoAccountsHelp}
${operationsHelp}
LOG_LEVEL      trace, debug, info, warn, error or silent (info)

${eIdHelp}`

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
  ...demoAccountsShape,
  ...operationsShape,
  ...eIdEnvironmentShape,
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

/** Every variable that is read. */
export const settingNames: readonly string[] = Object.keys(settingsSchema.shape)

/** What the environment says of the service. */
export type Settings = z.output<typeof settingsSchema>

/**
 * Reads the settings out of the environment; an empty variable counts as none.
 *
 * @throws {StartError} a line a variable that is not acceptable; its value, which may be a secret, is not repeated
 */
export function readSettings(environment: NodeJS.ProcessEnv): Settings {
  const given = Object.entries(environment).filter(([, value]) => value !== '')
  const parsed = settingsSchema.safeParse(Object.fromEntries(given), { reportInput: true })
  if (parsed.success) return parsed.data
  const places = issuesOf(parsed.error).map(({ path, problem }) => `${path}: ${problem}`)
  throw new StartError(places.join('\n'))
}
