import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type PartnerRegistration, partnerRegistrationSchema } from '@service-link/jwt-payload/receiver'
import { z } from 'zod'
import { demoAccounts } from './auth/demo-accounts.ts'
import { createService } from './create-service.ts'
import { createLogger } from './http/create-logger.ts'

// `npm run service`: the demo service alone.

const help = `Starts the demo service.

PORT           port to listen on, 0 for a free one (4280)
HOST           address to listen on (127.0.0.1)
PUBLIC_URL     where browsers reach it (http://localhost:<port>)
SERVICE_DATA   folder of the embedded database (.data/service in the folder of the demo)
PARTNERS_FILE  JSON array of the partners that may post: [{id, name, issuer?, policy?, keys: [{kid?, kind, …}]}]
LOG_LEVEL      trace, debug, info, warn, error or silent (info)
`

const environmentSchema = z.object({
  PORT: z.coerce.number().int().min(0).max(65535).default(4280),
  HOST: z.string().min(1).default('127.0.0.1'),
  PUBLIC_URL: z
    .url({ protocol: /^https?$/, error: 'must be an http or https address' })
    .refine(url => new URL(url).pathname === '/', {
      error: 'must have no path: the service wants a host of its own',
    })
    .optional(),
  SERVICE_DATA: z
    .string()
    .min(1)
    .default(join(import.meta.dirname, '..', '..', '.data', 'service')),
  PARTNERS_FILE: z.string().min(1).optional(),
  DATABASE_URL: z
    .never({ error: 'is not supported by this service: it uses its embedded database' })
    .optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
})

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    process.stdout.write(help)
    return 0
  }
  const parsed = environmentSchema.safeParse(withoutEmpty(process.env))
  if (!parsed.success) {
    for (const { path, message } of parsed.error.issues) say(`${path.join('.')}: ${message}`)
    return 2
  }
  const { PORT, HOST, PUBLIC_URL, SERVICE_DATA, PARTNERS_FILE, LOG_LEVEL } = parsed.data
  const partners = PARTNERS_FILE === undefined ? [] : await readPartners(PARTNERS_FILE)
  await using service = await createService({
    port: PORT,
    host: HOST,
    dataFolder: SERVICE_DATA,
    partners,
    demoAccounts,
    logger: createLogger(LOG_LEVEL),
    ...(PUBLIC_URL === undefined ? {} : { publicUrl: PUBLIC_URL }),
  })
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop())
  say(`Service: ${service.url}`)
  say(`Partner link: POST ${service.url}/partner/payload, ${partners.length} partners registered`)
  say(`Data: ${SERVICE_DATA.replace(homedir(), '~')}`)
  for (const { email, password } of demoAccounts) say(`Demo account: ${email}  ${password}`)
  await stopped
  return 0
}

/** Reads the partners' registrations. The message says where the file is wrong and repeats nothing of it. */
async function readPartners(path: string): Promise<PartnerRegistration[]> {
  let content: unknown
  try {
    content = JSON.parse(await readFile(path, 'utf8'))
  } catch {
    throw new StartError(`PARTNERS_FILE: ${path} cannot be read, or is not JSON.`)
  }
  const parsed = z.array(partnerRegistrationSchema).safeParse(content)
  if (parsed.success) return parsed.data
  const places = parsed.error.issues.map(issue => `${issue.path.join('.')}: ${issue.message}`)
  throw new StartError(`PARTNERS_FILE: ${path} is not acceptable.\n${places.join('\n')}`)
}

/** A reason not to start that is the operator's to change. */
class StartError extends Error {}

function withoutEmpty(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

try {
  process.exitCode = await main()
} catch (error) {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') say('The port is taken. Choose another with PORT.')
  else if (error instanceof StartError || typeof code === 'string') say((error as Error).message)
  else throw error
  process.exitCode = 2
}
