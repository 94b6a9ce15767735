import type { Account, AuditEntry } from '@service-link/receiver'
import type { ContractStores, StoreContractWorld } from '@service-link/receiver/testing'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { dialectOf } from '../../src/server/create-service.ts'
import { type OpenDatabase, openDatabase } from '../../src/server/database/open-database.ts'
import { runTransaction } from '../../src/server/database/run-transaction.ts'
import type { Database } from '../../src/server/database/tables.ts'
import { storesOver } from '../../src/server/partner-link/receiver-stores.ts'
import { makeStorage } from './service.ts'

/** The stores in the project's kind of database. */
export interface DatabaseStores extends AsyncDisposable {
  /** Makes empty stores. On PostgreSQL they share one database, because making one takes a second. */
  start(world: StoreContractWorld): Promise<ContractStores & AsyncDisposable>
}

export function databaseStores(): DatabaseStores {
  let shared: Promise<TestDatabase> | undefined
  return {
    async start({ accounts }) {
      await using resources = new AsyncDisposableStack()
      let testDatabase: TestDatabase
      if (inject('postgres')) {
        shared ??= makeTestDatabase()
        testDatabase = await shared
      } else testDatabase = resources.use(await makeTestDatabase())
      const { database } = resources.use(await testDatabase.open())
      if (shared)
        await sql`truncate ${sql.join(storeTables.map(name => sql.table(name)))} cascade`.execute(database)
      await insertAccounts(database, accounts)
      const owned = resources.move()
      return {
        runTransaction: work => runTransaction(database, transaction => work(storesOver(transaction))),
        auditEntries: () => readAudit(database),
        [Symbol.asyncDispose]: () => owned.disposeAsync(),
      }
    },
    async [Symbol.asyncDispose]() {
      await (await shared)?.[Symbol.asyncDispose]()
    },
  }
}

/** The tables of the stores, except those that refer to one of these. */
const storeTables = [
  'organizations',
  'partner_organizations',
  'used_tokens',
  'held_deliveries',
  'audit_entries',
]

async function insertAccounts(database: Database, accounts: readonly Account[]): Promise<void> {
  const now = new Date().toISOString()
  const makeOrganization = (name: string) =>
    database
      .insertInto('organizations')
      .values({ name, created_at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
  const clinic = await makeOrganization('Clinic')
  for (const { id, displayName: name, organizationId: other } of accounts)
    await database
      .insertInto('auth_users')
      .values({
        id,
        name,
        email: `${id}@clinic.example`,
        emailVerified: true,
        image: null,
        createdAt: now,
        updatedAt: now,
        organizationId: (other === undefined ? clinic : await makeOrganization(other)).id,
      })
      .execute()
}

async function readAudit(database: Database): Promise<readonly AuditEntry[]> {
  const rows = await database.selectFrom('audit_entries').selectAll().orderBy('id').execute()
  return rows.map(row => ({
    at: new Date(row.at),
    requestId: row.request_id,
    // All rows were written from entries.
    event: row.event as AuditEntry['event'],
    outcome: row.outcome as AuditEntry['outcome'],
    partnerId: row.partner_id,
    organizationId: row.organization_id ?? undefined,
    accountId: row.account_id ?? undefined,
    employeeDigest: row.employee_digest ?? undefined,
  }))
}

/** A new database of the project's kind. */
export interface TestDatabase extends AsyncDisposable {
  /** Opens it again, like another process. */
  open(): Promise<OpenDatabase>
}

/** Makes a database with the service's tables. Its openings close with it. */
export async function makeTestDatabase(): Promise<TestDatabase> {
  await using resources = new AsyncDisposableStack()
  const { databaseUrl, dataFolder } = await makeStorage(resources, { isEmpty: true })
  const owned = resources.move()
  return {
    open: async () => owned.use(await openDatabase(dialectOf(databaseUrl, dataFolder))),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
