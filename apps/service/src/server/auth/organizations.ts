import type { Database } from '../database/tables.ts'
import { StartError } from '../operations/start-error.ts'

/** Finds the organization that an operator names, by its name or its number. */
export async function findOrganization(
  database: Database,
  wanted: string,
): Promise<{ readonly id: number; readonly name: string }> {
  const organizations = await database
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where(({ eb, or }) =>
      or([eb('name', '=', wanted), ...(/^\d{1,9}$/.test(wanted) ? [eb('id', '=', Number(wanted))] : [])]),
    )
    .execute()
  const [organization, another] = organizations
  if (!organization) throw new StartError('The service has no organization of that name or number.')
  if (another)
    throw new StartError(
      `Several organizations fit, give the number: ${organizations.map(({ id }) => id).join(', ')}`,
    )
  return organization
}

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
