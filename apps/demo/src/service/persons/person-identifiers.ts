import { createHash } from 'node:crypto'
import type { ExpressionBuilder, ExpressionWrapper, SqlBool } from 'kysely'
import type { Database, Tables } from '../database/tables.ts'
import { textKey } from './person-row.ts'

/** A partner of an organization's employees. */
export interface Sender {
  readonly organizationId: number
  readonly partnerId: string
}

type PersonCondition = (
  where: ExpressionBuilder<Tables, 'persons'>,
) => ExpressionWrapper<Tables, 'persons', SqlBool>

/** The condition that an identifier of a person is this text, by the index of its key. */
export function hasText(column: 'custom_id' | 'ssn', text: string): PersonCondition {
  return where => where.and([where(`${column}_key`, '=', textKey(text)), where(column, '=', text)])
}

/** The condition that anybody knows a person of the organization by this CustomId. */
export function isKnownAs(organizationId: number, customId: string): PersonCondition {
  return where =>
    where(
      'persons.id',
      'in',
      where
        .selectFrom('persons as named')
        .select('named.id')
        .where('named.organization_id', '=', organizationId)
        .where('named.custom_id_key', '=', textKey(customId))
        .where('named.custom_id', '=', customId)
        .union(
          where
            .selectFrom('person_custom_ids')
            .select('person_id as id')
            .where('organization_id', '=', organizationId)
            .where('custom_id_digest', '=', customIdDigest(customId)),
        ),
    )
}

/** The condition that a partner knows the person by this CustomId. */
export function isKnownTo({ organizationId, partnerId }: Sender, customId: string): PersonCondition {
  return where =>
    where(
      'persons.id',
      'in',
      where
        .selectFrom('person_custom_ids')
        .select('person_id')
        .where('organization_id', '=', organizationId)
        .where('partner_id', '=', partnerId)
        .where('custom_id_digest', '=', customIdDigest(customId)),
    )
}

/** The condition that the person has this CustomId, and that no partner has said so: a wrapper's command did, or an employee. */
export function hasUnclaimed(customId: string): PersonCondition {
  return where =>
    where.and([
      hasText('custom_id', customId)(where),
      where.not(
        where.exists(
          where
            .selectFrom('person_custom_ids')
            .select('person_id')
            .whereRef('person_id', '=', 'persons.id')
            .where('custom_id_digest', '=', customIdDigest(customId)),
        ),
      ),
    ])
}

/** The row by which a partner's CustomId finds a person from now on. */
export function customIdRow(
  { organizationId, partnerId }: Sender,
  customId: string,
  personId: number,
): Tables['person_custom_ids'] {
  return {
    organization_id: organizationId,
    partner_id: partnerId,
    custom_id_digest: customIdDigest(customId),
    person_id: personId,
  }
}

/** Lets no partner's CustomId find the person any more: an employee has corrected it. To be run in a transaction. */
export async function forgetCustomIds(database: Database, personId: number): Promise<void> {
  await database.deleteFrom('person_custom_ids').where('person_id', '=', personId).execute()
}

const customIdDigest = (customId: string): string => createHash('sha256').update(customId).digest('base64url')
