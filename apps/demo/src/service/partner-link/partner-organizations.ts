import { createHash } from 'node:crypto'
import type { OrganizationKey } from '@service-link/jwt-payload/receiver'
import { lockNames } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'

/**
 * Binds a partner's organization to an organization of the service, unless it is bound already.
 *
 * @param transaction must be one: of two organizations at once one is bound
 * @returns whether accounts of `organizationId` may be linked
 */
export async function bindOrganization(
  transaction: Database,
  partnerOrganization: OrganizationKey,
  organizationId: number,
): Promise<boolean> {
  const digest = organizationDigestOf(partnerOrganization)
  await lockNames(transaction, [`partner organization ${digest}`])
  const bound = await transaction
    .selectFrom('partner_organizations')
    .select('organization_id')
    .where('organization_digest', '=', digest)
    .execute()
  if (bound.length > 0) return bound.some(row => row.organization_id === organizationId)
  await putOrganization(transaction, partnerOrganization, organizationId)
  return true
}

/** Lets accounts of one more organization of the service be linked to employees of a partner's organization. */
export async function putOrganization(
  database: Database,
  partnerOrganization: OrganizationKey,
  organizationId: number,
): Promise<void> {
  await database
    .insertInto('partner_organizations')
    .values({
      organization_digest: organizationDigestOf(partnerOrganization),
      organization_id: organizationId,
      partner_id: partnerOrganization.partnerId,
      partner_organization_id: partnerOrganization.organizationId,
      bound_at: new Date().toISOString(),
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** The identifiers of partners may be longer than an entry of PostgreSQL's indexes. */
function organizationDigestOf({ partnerId, organizationId }: OrganizationKey): string {
  return createHash('sha256')
    .update(JSON.stringify([partnerId, organizationId]))
    .digest('base64url')
}
