import type { Database } from '../database/tables.ts'

/** Finds an organization by its name, or makes it. */
export async function findOrCreateOrganization(database: Database, name: string): Promise<number> {
  const known = await database
    .selectFrom('organizations')
    .select('id')
    .where('name', '=', name)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (known) return known.id
  const { id } = await database
    .insertInto('organizations')
    .values({ name, created_at: new Date().toISOString() })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
