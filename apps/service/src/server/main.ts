import { homedir } from 'node:os'
import { pino } from 'pino'
import { AddressTakenError } from '../http-server/listen.ts'
import { runCommand } from './commands.ts'
import { createService, dialectOf } from './create-service.ts'
import { reasonOf, remedyOf } from './database/failures.ts'
import { openDatabase } from './database/open-database.ts'
import { sqlitePath } from './database/sqlite.ts'
import { demoAccounts, demoAccountsUse } from './demo-data.ts'
import { createLogger } from './http/logger.ts'
import {
  operationsOf,
  readEIdSettings,
  readSettings,
  type Settings,
  StartError,
  settingsHelp,
} from './operations/settings.ts'
import { untilSignal } from './operations/until-signal.ts'
import { readPartners } from './partner-link/keep-partners.ts'

// `npm run service`: the demo service alone.

interface ServiceRun {
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly output: { write(text: string): unknown }
  /** Also gets the log. */
  readonly errors: { write(text: string): unknown }
  /** Resolves when the service must end. Gets the longest duration of the end, in milliseconds. */
  readonly untilStopped: (longestEndMs: number) => Promise<void>
}

/** Runs `npm run service` until it is stopped, and returns the exit code. */
export async function runService(run: ServiceRun): Promise<number> {
  const say = (line: string) => run.errors.write(`${line}\n`)
  try {
    await start(run, say)
    return 0
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (error instanceof AddressTakenError) say(`${error.message} PORT and METRICS_PORT name them.`)
    else if (error instanceof StartError || typeof code === 'string') say((error as Error).message)
    else throw error
    return 2
  }
}

async function start(run: ServiceRun, say: (line: string) => unknown): Promise<void> {
  const { args, environment, output } = run
  if (args.includes('--help')) return void output.write(settingsHelp)
  const settings = readSettings(environment)
  try {
    await serve(run, settings, say)
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === undefined) throw error
    const place =
      settings.DATABASE_URL === undefined
        ? `SERVICE_DATA: ${sqlitePath(settings.SERVICE_DATA)}`
        : 'DATABASE_URL: the PostgreSQL'
    const remedy = remedyOf(reason)
    throw new StartError(`${place} cannot be used. ${reason}${remedy === undefined ? '' : `. ${remedy}`}`)
  }
}

async function serve(
  { args, errors, untilStopped }: ServiceRun,
  settings: Settings,
  say: (line: string) => unknown,
): Promise<void> {
  const { PORT, HOST, PUBLIC_URL, DATABASE_URL, AUTH_SECRET, SERVICE_DATA, PARTNERS_FILE, LOG_LEVEL } =
    settings
  const partners = PARTNERS_FILE === undefined ? [] : await readPartners(PARTNERS_FILE)
  if (args.length > 0) {
    const partnerIds = partners.map(({ id }) => id)
    await using open = await openDatabase(dialectOf(DATABASE_URL, SERVICE_DATA))
    return void say(await runCommand(open.database, partnerIds, args))
  }
  const { areMade, isRisky } = demoAccountsUse(settings.DEMO_ACCOUNTS, PUBLIC_URL)
  const accounts = areMade ? demoAccounts : []
  const eId = await readEIdSettings(settings)
  await using service = await createService({
    port: PORT,
    host: HOST,
    publicUrl: PUBLIC_URL,
    dataFolder: SERVICE_DATA,
    databaseUrl: DATABASE_URL,
    authSecret: AUTH_SECRET,
    partners,
    partnersFile: PARTNERS_FILE,
    demoAccounts: accounts,
    eId,
    logger: createLogger(LOG_LEVEL, errors),
    ...operationsOf(settings),
  })
  const { drainMs, graceMs } = operationsOf(settings)
  const stopped = untilStopped(drainMs + graceMs + 20_000)
  say(`Service: ${service.url}`)
  say(`Listening: ${service.listensOn.join(', ')}`)
  const { url, partnerCount: count } = service
  say(`Partner link: POST ${url}/partner/payload, ${count} partner${count === 1 ? '' : 's'} registered`)
  say(`Consumer app: ${service.url}/my${eId === undefined ? ', not set up: EID_ISSUER is not given' : ''}`)
  if (service.metricsUrl !== undefined) say(`Metrics: ${service.metricsUrl}`)
  say(`Data: ${DATABASE_URL === undefined ? SERVICE_DATA.replace(homedir(), '~') : 'PostgreSQL'}`)
  for (const { email, password } of accounts) say(`Demo account: ${email}  ${password}`)
  if (isRisky)
    say(
      'Warning: everybody can read the passwords of the demo accounts. Set DEMO_ACCOUNTS=0 where others reach the service.',
    )
  await stopped
}

if (import.meta.main)
  process.exitCode = await runService({
    args: process.argv.slice(2),
    environment: process.env,
    output: process.stdout,
    errors: pino.destination({ dest: 2, sync: true }),
    untilStopped: untilSignal,
  })
