import type { Kysely } from 'kysely'
import { personKeysOf } from '../persons/person-keys.ts'
import type { DatabaseDialect } from './dialect.ts'
import type { Tables } from './tables.ts'

/** Rows that are read at once. */
const batchSize = 1000

/** Finds a person by any identifier, by the words of its name and in the order of names through an index, among a million. */
export async function addPersonKeys(db: Kysely<Tables>, dialect: DatabaseDialect): Promise<void> {
  for (const name of ['custom_id_key', 'ssn_key'])
    await db.schema.alterTable('persons').addColumn(name, 'text').execute()
  await db.schema
    .alterTable('persons')
    .addColumn('sort_name', 'text', column => column.notNull().defaultTo(''))
    .execute()
  await fillKeys(db)
  for (const name of ['custom_id', 'ssn', 'lastname'])
    await db.schema.dropIndex(`persons_by_${name}`).execute()
  for (const name of ['custom_id_key', 'ssn_key'])
    await db.schema
      .createIndex(`persons_by_${name}`)
      .on('persons')
      .columns(['organization_id', name])
      .execute()
  await db.schema
    .createIndex('persons_by_name')
    .on('persons')
    .columns(['organization_id', 'sort_name', 'id'])
    .execute()
  await dialect.search.createPersonIndex(db)
}

async function fillKeys(db: Kysely<Tables>): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await db
      .selectFrom('persons')
      .selectAll()
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchSize)
      .execute()
    for (const row of rows)
      await db.updateTable('persons').set(personKeysOf(row)).where('id', '=', row.id).execute()
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}
