// The process of the benchmark `store`: the receiver of the service and its list of persons, on a database of its own, or the
// receiver and its page alone. Its first message is the port, or why there is no PostgreSQL.
import { once } from 'node:events'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import {
  createPartnerDirectory,
  createReceiver,
  type PartnerDirectory,
  type Receiver,
  type ReceiverStores,
  renderBootPage,
} from '@service-link/receiver'
import { askPostgres, findPostgres, startPostgres } from '@service-link/test-kit/postgres'
import { Hono } from 'hono'
import { CompiledQuery } from 'kysely'
import { createAuth } from '../../src/server/auth/create-auth.ts'
import { dialectOf } from '../../src/server/create-service.ts'
import { type OpenDatabase, openDatabase } from '../../src/server/database/open-database.ts'
import { demoAccounts, seedAccounts } from '../../src/server/demo-data.ts'
import type { AppEnv } from '../../src/server/http/api.ts'
import { createLogger } from '../../src/server/http/logger.ts'
import { contentSecurityPolicy, readPage } from '../../src/server/http/own-site.ts'
import { accountLinks } from '../../src/server/partner-link/account-links.ts'
import { createPartnerLink } from '../../src/server/partner-link/partner-link.ts'
import { databaseAuditLog } from '../../src/server/partner-link/receiver-stores.ts'
import { personRoutes } from '../../src/server/persons/persons.ts'

const { store, publicJwk, issuer, publicUrl, employee } = JSON.parse(process.argv[2] ?? '')

await using folder = await mkdtempDisposable(join(tmpdir(), 'service-link-bench-'))
await writeFile(
  join(folder.path, 'index.html'),
  `<!doctype html><head><title>Service</title></head><script>${'// the web app\n'.repeat(60)}</script>`,
)

const partnerId = 'partner'
const partners = await createPartnerDirectory([
  {
    id: partnerId,
    name: 'Partner',
    issuer,
    keys: [{ kind: 'jwk', jwk: publicJwk, kid: 'bench' }],
    maxPostsPerMinute: 1_000_000,
  },
])

const app = new Hono<AppEnv>()
await using resources = new AsyncDisposableStack()
const programs = findPostgres()
if (store === 'postgres' && 'missing' in programs) process.send?.(programs.missing)
else {
  const databases = store === 'postgres' ? resources.use(await startPostgres(programs)).databases : undefined
  const databaseUrl = databases?.urlOf(await databases.create())
  const open = store === 'none' ? undefined : await openStore(databaseUrl)
  const run = (statement: string) =>
    databaseUrl === undefined
      ? open?.database.executeQuery(CompiledQuery.raw(statement))
      : askPostgres(databaseUrl, statement)
  const receiver = open ? await fullReceiver(open, partners) : idleReceiver(partners)
  app.post('/run', async c => {
    await run(await c.req.text())
    return c.body(null, 204)
  })
  app.post('/partner/payload', c => receiver.receive(c.req.raw))
  const server = createServer(getRequestListener(app.fetch)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  process.send?.(Object(server.address()).port)
  await once(process, 'disconnect')
  server.close()
  server.closeAllConnections()
}

/** SQLite in a file that is not synced, or the PostgreSQL of the address. */
async function openStore(databaseUrl: string | undefined): Promise<OpenDatabase> {
  const open = resources.use(await openDatabase(dialectOf(databaseUrl, folder.path)))
  if (databaseUrl === undefined)
    await open.database.executeQuery(CompiledQuery.raw('pragma synchronous = off'))
  return open
}

/** As the service wires it, with an account and its link; adds the routes of persons for that account. */
async function fullReceiver(open: OpenDatabase, directory: PartnerDirectory): Promise<Receiver> {
  const { database, dialectName } = open
  const secret = 'the key of the cookies of a measurement'
  const sessionMs = 12 * 60 * 60 * 1000
  const auth = createAuth({ database, dialectName, publicUrl, secret, sessionMs, partners: directory })
  const [account] = demoAccounts
  if (!account) throw new Error('The demo has no account.')
  await seedAccounts(auth, open, [account])
  const user = await database.selectFrom('auth_users').selectAll().executeTakeFirstOrThrow()
  await accountLinks(database).link({ partnerId, ...employee }, user.id)
  const { id: accountId, name, email, organizationId } = user
  const { organization: organizationName } = account
  const signedIn = { accountId, name, email, organizationId, organizationName, sessionId: '' }
  app.use('/persons/*', (c, next) => {
    c.set('employee', signedIn)
    return next()
  })
  app.route(
    '/',
    personRoutes(open, async () => undefined),
  )
  return createPartnerLink({
    publicUrl,
    partners: directory,
    audit: databaseAuditLog(database),
    metrics: undefined,
    auth,
    open,
    webAppFolder: folder.path,
    logger: createLogger('silent'),
  })
}

/** The same receiver and page with stores that do nothing. */
function idleReceiver(directory: PartnerDirectory): Receiver {
  const unused = () => Promise.reject(new Error('Not part of this measurement.'))
  const stores: ReceiverStores = {
    replay: { consume: async () => 'taken' },
    accounts: {
      find: async () => ({ id: 'account', displayName: 'Ada' }),
      link: unused,
      unlink: unused,
      endContext: unused,
    },
    contacts: { put: async () => ({ kind: 'selected', contactId: 'contact' }) },
    held: { hold: unused, take: unused },
    audit: { record: async () => undefined },
    sessions: { create: async () => ({ setCookies: [] }), endLinked: unused },
  }
  return createReceiver({
    url: `${publicUrl}/partner/payload`,
    partners: directory,
    runTransaction: work => work(stores),
    sessions: { create: unused, endLinked: unused, current: async () => undefined },
    renderPage: async (outcome, context) =>
      renderBootPage(await readPage(folder.path, 'index', undefined), outcome, context),
    contentSecurityPolicy,
  })
}
