import type { Kysely } from 'kysely'

/** Which request used a token, so that it may ask again; and an index to show an account its links. */
export async function addLinkColumns(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('used_tokens')
    // Tokens that were used before this column was there are no request's.
    .addColumn('request_id', 'text', column => column.notNull().defaultTo(''))
    .execute()
  await db.schema
    .createIndex('partner_employees_by_account')
    .on('partner_employees')
    .column('account_id')
    .execute()
}
