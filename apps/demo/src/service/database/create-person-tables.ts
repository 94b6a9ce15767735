import type { Kysely } from 'kysely'
import type { DatabaseDialect } from './dialect.ts'

const optionalTexts = [
  'custom_id',
  'firstname',
  'middlename',
  'lastname',
  'date_of_birth',
  'ssn',
  'diagnosis',
  'gender',
  'gender_as_sent',
  'email',
  'mobile',
  'phone_home',
  'phone_work',
  'address',
  'zipcode',
  'location',
  'country',
  'source',
  'profile_data',
]

/** Organizations and their persons, found by CustomId and by identity number through an index. */
export async function createPersonTables(db: Kysely<unknown>, dialect: DatabaseDialect): Promise<void> {
  await db.schema
    .createTable('organizations')
    .addColumn('id', 'integer', column => dialect.identity(column))
    .addColumn('name', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .execute()
  let persons = db.schema
    .createTable('persons')
    .addColumn('id', 'integer', column => dialect.identity(column))
    .addColumn('organization_id', 'integer', column => column.notNull().references('organizations.id'))
    .addColumn('search_text', 'text', column => column.notNull())
    .addColumn('created_at', 'text', column => column.notNull())
    .addColumn('updated_at', 'text', column => column.notNull())
  for (const name of optionalTexts) persons = persons.addColumn(name, 'text')
  await persons.execute()
  for (const column of ['custom_id', 'ssn', 'lastname']) {
    await db.schema
      .createIndex(`persons_by_${column}`)
      .on('persons')
      .columns(['organization_id', column])
      .execute()
  }
}
