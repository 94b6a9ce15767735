import { constants, homedir } from 'node:os'
import { demoAccounts, demoAccountsUse } from './auth/demo-accounts.ts'
import { createService, dialectOf } from './create-service.ts'
import { openDatabase } from './database/open-database.ts'
import { createLogger } from './http/logger.ts'
import { readEIdSettings } from './my/e-id-settings.ts'
import { StartError } from './operations/start-error.ts'
import { allowOrganization } from './partner-link/account-links.ts'
import { readPartners } from './partner-link/keep-partners.ts'
import { operationsOf, readSettings, settingsHelp } from './settings.ts'

// `npm run service`: the demo service alone.

async function main(): Promise<number> {
  if (process.argv.includes('--help')) {
    process.stdout.write(settingsHelp)
    return 0
  }
  const settings = readSettings(process.env)
  const [command, ...args] = process.argv.slice(2)
  if (command !== undefined) {
    if (command !== 'allow-organization')
      throw new StartError('There is no such command. --help names what there is.')
    await using open = await openDatabase(dialectOf(settings.DATABASE_URL, settings.SERVICE_DATA))
    say(await allowOrganization(open, args))
    return 0
  }
  const { PORT, HOST, PUBLIC_URL, DATABASE_URL, AUTH_SECRET, SERVICE_DATA, PARTNERS_FILE, LOG_LEVEL } =
    settings
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
    partners: PARTNERS_FILE === undefined ? undefined : await readPartners(PARTNERS_FILE),
    partnersFile: PARTNERS_FILE,
    demoAccounts: accounts,
    eId,
    logger: createLogger(LOG_LEVEL),
    ...operationsOf(settings),
  })
  const stopped = firstStopSignal()
  say(`Service: ${service.url}`)
  say(`Listening: ${HOST}:${service.port}`)
  say(`Partner link: POST ${service.url}/partner/payload, ${service.partnerCount} partners registered`)
  say(`Consumer app: ${service.url}/my${eId === undefined ? ', not set up: EID_ISSUER is not given' : ''}`)
  if (service.metricsUrl !== undefined) say(`Metrics: ${service.metricsUrl}`)
  say(`Data: ${DATABASE_URL === undefined ? SERVICE_DATA.replace(homedir(), '~') : 'PostgreSQL'}`)
  for (const { email, password } of accounts) say(`Demo account: ${email}  ${password}`)
  if (isRisky)
    say(
      'Warning: everybody can read the passwords of the demo accounts. Set DEMO_ACCOUNTS=0 where others reach the service.',
    )
  await stopped
  // The time that its end may take is limited in each step; this is for a step that hangs.
  const { drainMs, graceMs } = operationsOf(settings)
  setTimeout(() => process.exit(1), drainMs + graceMs + 20_000).unref()
  return 0
}

function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/**
 * Waits for the signal to end. A second one ends the process at once, with the status that shells give for it.
 *
 * @returns resolves at the first signal
 */
function firstStopSignal(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let count = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => {
      count++
      if (count > 1) process.exit(128 + constants.signals[signal])
      resolve()
    })
  return promise
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
