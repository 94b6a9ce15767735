// The receiver of the demo's service and its list of persons, from sources. Without a store: the receiver and its page alone.
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
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
} from '@service-link/jwt-payload/receiver'
import { Hono } from 'hono'
import { CompiledQuery, sql } from 'kysely'
import { createAuth } from '../../../apps/demo/src/service/auth/create-auth.ts'
import { demoAccounts, seedAccounts } from '../../../apps/demo/src/service/auth/demo-accounts.ts'
import { dialectOf } from '../../../apps/demo/src/service/create-service.ts'
import { type OpenDatabase, openDatabase } from '../../../apps/demo/src/service/database/open-database.ts'
import type { AppEnv } from '../../../apps/demo/src/service/http/api.ts'
import { createLogger } from '../../../apps/demo/src/service/http/logger.ts'
import { contentSecurityPolicy, readIndexPage } from '../../../apps/demo/src/service/http/own-site.ts'
import { accountLinks } from '../../../apps/demo/src/service/partner-link/account-links.ts'
import { createPartnerLink } from '../../../apps/demo/src/service/partner-link/partner-link.ts'
import { databaseAuditLog } from '../../../apps/demo/src/service/partner-link/receiver-stores.ts'
import { personRoutes } from '../../../apps/demo/src/service/persons/persons.ts'
import { listenAsParty } from './start-party.ts'

const { store, databaseUrl, publicJwk, issuer, publicUrl, employee } = JSON.parse(process.argv[2] ?? '')

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
await using open = store === 'none' ? undefined : await openStore()
const receiver = open ? await fullReceiver(open, partners) : idleReceiver(partners)
app.post('/partner/payload', c => receiver.receive(c.req.raw))
listenAsParty(getRequestListener(app.fetch))
await new Promise(resolve => process.once('disconnect', resolve))

/** SQLite in a file that is not synced, or the PostgreSQL of the address. */
async function openStore(): Promise<OpenDatabase> {
  const open = await openDatabase(dialectOf(databaseUrl, folder.path))
  if (databaseUrl === undefined)
    await open.database.executeQuery(CompiledQuery.raw('pragma synchronous = off'))
  return open
}

/** As the service wires it, with an account and its link; adds the routes of persons for that account. */
async function fullReceiver(open: OpenDatabase, directory: PartnerDirectory): Promise<Receiver> {
  const { database, dialectName } = open
  const secret = 'the key of the cookies of a measurement'
  const auth = createAuth({ database, dialectName, publicUrl, secret, frameOriginsOf: () => [] })
  const [account] = demoAccounts
  if (!account) throw new Error('The demo has no account.')
  await seedAccounts(auth, open, [account])
  const user = await database.selectFrom('auth_users').selectAll().executeTakeFirstOrThrow()
  await accountLinks(database).link({ partnerId, ...employee }, user.id)
  const { id: accountId, name, email, organizationId } = user
  const signedIn = { accountId, name, email, organizationId, organizationName: account.organization }
  app.use('/persons/*', (c, next) => {
    c.set('employee', signedIn)
    return next()
  })
  app.route(
    '/',
    personRoutes(open, () => undefined),
  )
  app.post('/contacts', async c => {
    await fillContacts(open, organizationId, await c.req.json())
    return c.body(null, 204)
  })
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

/** Adds contacts that have not the names of the posted ones, until there are `count`. Their columns are the service's own. */
async function fillContacts({ database, dialectName }: OpenDatabase, organizationId: number, count: number) {
  const text = dialectName === 'postgres' ? 'text' : 'char'
  const number = sql.raw(`cast(i as ${text})`)
  await sql`insert into persons (organization_id, custom_id, custom_id_key, firstname, lastname, sort_name, search_text,
      created_at, updated_at)
    with recursive numbers (i) as (
      select (select count(*) from persons) + 1 union all select i + 1 from numbers where i < ${sql.lit(count)})
    select ${sql.lit(organizationId)}, 'n' || ${number}, 'n' || ${number}, 'First', 'Last' || ${number},
      'last' || ${number} || ' first', 'first last' || ${number} || ' n' || ${number}, '', '' from numbers`.execute(
    database,
  )
  await sql`analyze`.execute(database)
}

/** The same receiver and page with stores that do nothing. */
function idleReceiver(directory: PartnerDirectory): Receiver {
  const unused = () => Promise.reject(new Error('Not part of this measurement.'))
  const stores: ReceiverStores = {
    replay: { consume: async () => 'taken' },
    accounts: { find: async () => ({ id: 'account', displayName: 'Ada' }), link: unused, unlink: unused },
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
    renderPage: async (outcome, { nonce }) =>
      renderBootPage(await readIndexPage(folder.path), outcome, { nonce }),
    contentSecurityPolicy,
  })
}
