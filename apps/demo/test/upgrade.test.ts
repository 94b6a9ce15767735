import type { Person } from '@service-link/protocol-core'
import { type Insertable, Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { expect, test } from 'vitest'
import type { DatabaseDialect } from '../src/service/database/dialect.ts'
import { migrations } from '../src/service/database/migrations.ts'
import { openDatabase } from '../src/service/database/open-database.ts'
import { postgresDialect } from '../src/service/database/postgres/postgres-dialect.ts'
import { sqliteDialect } from '../src/service/database/sqlite/sqlite-dialect.ts'
import { accountLinks } from '../src/service/partner-link/account-links.ts'
import { replayGuard } from '../src/service/partner-link/held-deliveries.ts'
import { listPersons } from '../src/service/persons/person-store.ts'
import { selectOrCreatePerson } from '../src/service/persons/select-person.ts'
import { makeStorage } from './_service.ts'

/** The last step of the first version that was used. */
const firstVersion = '004-partner-link'

const employee = { partnerId: 'p', organizationId: 'org-1', employeeId: 'emp-1' }
const now = '2026-11-20T08:00:00.000Z'
const endOfTime = Date.parse('9999-12-31T00:00:00Z')

/** Rows as the first version wrote them, by their tables. */
const rowsOfFirstVersion: readonly (readonly [string, Record<string, unknown>])[] = [
  ['organizations', { id: 1, name: 'Fjordklinikken', created_at: now }],
  [
    'persons',
    {
      id: 7,
      organization_id: 1,
      custom_id: 'c-1',
      ssn: '12857948392',
      firstname: 'Åse',
      lastname: 'Øvergård',
      email: null,
      search_text: 'ase øvergard c-1',
      created_at: now,
      updated_at: now,
    },
  ],
  [
    'auth_users',
    {
      id: 'account',
      name: 'Ingrid Solberg',
      email: 'ingrid@example.com',
      emailVerified: true,
      organizationId: 1,
      createdAt: now,
      updatedAt: now,
    },
  ],
  [
    'partner_employees',
    {
      partner_id: 'p',
      partner_organization_id: 'org-1',
      employee_id: 'emp-1',
      account_id: 'account',
      linked_at: now,
    },
  ],
  // Another organization, to whose accounts two partners come.
  ['organizations', { id: 2, name: 'Harbour Physio', created_at: now }],
  [
    'persons',
    {
      id: 8,
      organization_id: 2,
      custom_id: 'c-1',
      firstname: 'Bo',
      lastname: 'Dahl',
      search_text: 'bo dahl c-1',
      created_at: now,
      updated_at: now,
    },
  ],
  ...['p', 'q'].flatMap(partner_id => [
    [
      'auth_users',
      {
        id: `account-${partner_id}`,
        name: 'Pat Murphy',
        email: `${partner_id}@example.com`,
        emailVerified: true,
        organizationId: 2,
        createdAt: now,
        updatedAt: now,
      },
    ] as const,
    [
      'partner_employees',
      {
        partner_id,
        partner_organization_id: 'org-2',
        employee_id: 'emp-2',
        account_id: `account-${partner_id}`,
        linked_at: now,
      },
    ] as const,
  ]),
  ['used_tokens', { token_key: 'used', expires_at: endOfTime }],
]

/** Makes a database as the first version left it. */
async function makeFirstVersion(dialect: DatabaseDialect): Promise<void> {
  await using database = new Kysely<Record<string, Record<string, unknown>>>({ dialect: dialect.kysely })
  const provider = { getMigrations: async () => migrations(dialect) }
  const { error } = await new Migrator({ db: database, provider }).migrateTo(firstVersion)
  if (error) throw error
  for (const [table, row] of rowsOfFirstVersion)
    await database
      .insertInto(table)
      .values(row satisfies Insertable<Record<string, unknown>>)
      .execute()
}

test('a database of the first version is brought up to date, and what was in it is found', async () => {
  await using resources = new AsyncDisposableStack()
  const { databaseUrl, dataFolder } = await makeStorage(resources, { isEmpty: true })
  const openDialect = () =>
    databaseUrl === undefined ? sqliteDialect(dataFolder) : postgresDialect(databaseUrl)
  await makeFirstVersion(openDialect())
  // Two processes of the new version start at once; the embedded database has one.
  const opened = await Promise.all(
    (databaseUrl === undefined ? [1] : [1, 2]).map(async () =>
      resources.use(await openDatabase(openDialect())),
    ),
  )
  for (const { database, search } of opened) {
    for (const text of ['øver', 'ase øverg'])
      expect(await listPersons(database, search, 1, { text })).toMatchObject([{ userId: 7 }])
    for (const person of [{ customId: 'c-1' }, { customId: 'another', ssn: '12857948392' }])
      expect(
        await database
          .transaction()
          .execute(trx => selectOrCreatePerson(trx, { organizationId: 1, partnerId: 'p' }, person)),
      ).toEqual({
        kind: 'selected',
        id: 7,
      })
    const links = accountLinks(database)
    expect(await links.find(employee)).toEqual({ id: 'account', displayName: 'Ingrid Solberg' })
    expect(await links.list('account')).toMatchObject([{ partnerId: 'p', organizationId: 'org-1' }])
    const claim = { key: 'used', expiresAt: new Date(endOfTime), requestId: crypto.randomUUID() }
    expect(await replayGuard(database).consume(claim)).toBe('used')
  }
})

test('[2.3-custom-id] a CustomId of the first version is its partner’s where there was one, else a person’s of the same name', async () => {
  await using resources = new AsyncDisposableStack()
  const { databaseUrl, dataFolder } = await makeStorage(resources, { isEmpty: true })
  const openDialect = () =>
    databaseUrl === undefined ? sqliteDialect(dataFolder) : postgresDialect(databaseUrl)
  await makeFirstVersion(openDialect())
  const { database } = resources.use(await openDatabase(openDialect()))
  const select = (organizationId: number, partnerId: string, person: Person) =>
    database.transaction().execute(trx => selectOrCreatePerson(trx, { organizationId, partnerId }, person))
  expect(await select(1, 'p', { customId: 'c-1' })).toEqual({ kind: 'selected', id: 7 })
  const aase = { firstname: 'Åse', lastname: 'Øvergård' }
  expect((await select(1, 'q', { customId: 'c-1', ...aase })).kind).toBe('created')
  const bo = { firstname: 'Bo', lastname: 'Dahl' }
  expect((await select(2, 'p', { customId: 'c-1', email: 'other@example.com' })).kind).toBe('created')
  expect(await select(2, 'q', { customId: 'c-1', ...bo })).toEqual({ kind: 'selected', id: 8 })
  expect(await select(2, 'q', { customId: 'c-1' })).toEqual({ kind: 'selected', id: 8 })
})
