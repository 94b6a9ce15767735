import type { Kysely } from 'kysely'
import { customIdRow, type Sender } from '../persons/person-identifiers.ts'
import type { Tables } from './tables.ts'

/** Rows that are read at once. */
const batchSize = 1000

/**
 * Keeps under which CustomId each partner knows a person. The CustomIds that are there become those of the partner where an
 * organization has had visits of one partner only; elsewhere their partner stays unknown.
 */
export async function createPersonCustomIds(db: Kysely<Tables>): Promise<void> {
  await db.schema
    .createTable('person_custom_ids')
    .addColumn('organization_id', 'integer', column => column.notNull().references('organizations.id'))
    .addColumn('partner_id', 'text', column => column.notNull())
    .addColumn('custom_id_digest', 'text', column => column.notNull())
    .addColumn('person_id', 'integer', column =>
      column.notNull().references('persons.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('person_custom_ids_key', ['organization_id', 'custom_id_digest', 'partner_id'])
    .execute()
  await db.schema
    .createIndex('person_custom_ids_by_person')
    .on('person_custom_ids')
    .column('person_id')
    .execute()
  for (const sender of await findOnlySenders(db)) await giveCustomIds(db, sender)
}

/** The organizations whose employees came from one partner, as far as links and the audit log tell. */
async function findOnlySenders(db: Kysely<Tables>): Promise<readonly Sender[]> {
  const visits = db
    .selectFrom('partner_employees')
    .select(['account_id', 'partner_id'])
    .union(
      db
        .selectFrom('audit_entries')
        .select(({ ref }) => [ref('account_id').$notNull().as('account_id'), 'partner_id'])
        .where('account_id', 'is not', null),
    )
  return db
    .selectFrom('auth_users')
    .innerJoin(visits.as('visits'), 'visits.account_id', 'auth_users.id')
    .select(({ fn }) => ['organizationId', fn.min('visits.partner_id').as('partnerId')])
    .groupBy('organizationId')
    .having(({ fn }) => fn.count('visits.partner_id').distinct(), '=', 1)
    .execute()
}

async function giveCustomIds(db: Kysely<Tables>, sender: Sender): Promise<void> {
  for (let after = 0; ; ) {
    const persons = await db
      .selectFrom('persons')
      .select(['id', 'custom_id'])
      .where('organization_id', '=', sender.organizationId)
      .where('id', '>', after)
      .where('custom_id', 'is not', null)
      // One that several persons have tells nobody apart.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('persons as other')
              .select('other.id')
              .whereRef('other.organization_id', '=', 'persons.organization_id')
              .whereRef('other.custom_id_key', '=', 'persons.custom_id_key')
              .whereRef('other.id', '<>', 'persons.id'),
          ),
        ),
      )
      .orderBy('id')
      .limit(batchSize)
      .execute()
    const last = persons.at(-1)
    if (!last) return
    after = last.id
    const rows = persons.flatMap(({ id, custom_id }) =>
      custom_id === null ? [] : [customIdRow(sender, custom_id, id)],
    )
    await db.insertInto('person_custom_ids').values(rows).execute()
  }
}
