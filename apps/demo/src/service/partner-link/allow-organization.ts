import type { OpenDatabase } from '../database/open-database.ts'
import { runTransaction } from '../database/run-transaction.ts'
import { StartError } from '../operations/start-error.ts'
import { putOrganization } from './account-links.ts'

/** How `npm run service -- allow-organization` is called. */
export const allowOrganizationUsage =
  'allow-organization <partner> <organization of the partner> <organization of the service, by its name or number>'

/**
 * Lets employees of a partner's organization be linked to accounts of one more organization of the service, or of the first.
 *
 * @param args see {@link allowOrganizationUsage}
 * @returns what was done, as a sentence
 * @throws {StartError} when the arguments are not three, or the partner or the service's organization is not known
 */
export async function allowOrganization(
  { database }: OpenDatabase,
  args: readonly string[],
): Promise<string> {
  const [partnerId = '', organizationId = '', wanted = '', ...more] = args
  if (wanted === '' || more.length > 0) throw new StartError(`Usage: ${allowOrganizationUsage}`)
  return runTransaction(database, async transaction => {
    const partner = await transaction
      .selectFrom('partners')
      .select('id')
      .where('id', '=', partnerId)
      .executeTakeFirst()
    if (!partner) throw new StartError('No partner of that id is registered.')
    const organizations = await transaction
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
    await putOrganization(transaction, { partnerId, organizationId }, organization.id)
    await transaction
      .insertInto('audit_entries')
      .values({
        at: new Date().toISOString(),
        request_id: crypto.randomUUID(),
        event: 'allow-organization',
        outcome: 'allowed',
        partner_id: partnerId,
        organization_id: organizationId.slice(0, 256),
      })
      .execute()
    return `Employees of ${organizationId} at ${partnerId} may be linked to accounts of ${organization.name}.`
  })
}
