import { type PartnerRegistration, partnerRegistrationSchema } from '@service-link/jwt-payload/receiver'
import type { z } from 'zod'
import { lockNames, runTransaction } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import type { SecretSealer } from './secret-sealer.ts'

/** A registration as its row has it: secrets are sealed. */
export interface PartnerRow {
  readonly id: string
  /** JSON. */
  readonly registration: string
}

type ParsedRegistration = z.output<typeof partnerRegistrationSchema>

/** What the row of versions counts. */
const versionName = 'partners'

/** The version of the partners; another one after each change. */
export async function readVersion(database: Database): Promise<number> {
  const row = await database
    .selectFrom('partner_versions')
    .select('version')
    .where('name', '=', versionName)
    .executeTakeFirst()
  return Number(row?.version ?? 0)
}

/** All partners, by their id. */
export function readRows(database: Database): Promise<readonly PartnerRow[]> {
  return database.selectFrom('partners').select(['id', 'registration']).orderBy('id').execute()
}

/**
 * Puts rows in place of all that there are, in one transaction with a new version; others who do so wait.
 *
 * @param present what the new rows were made for
 * @returns `false` when there are other rows meanwhile; nothing was changed
 */
export function replaceRows(
  database: Database,
  present: readonly PartnerRow[],
  rows: readonly PartnerRow[],
): Promise<boolean> {
  const replace = async (transaction: Database): Promise<boolean> => {
    await lockNames(transaction, [versionName])
    if (JSON.stringify(await readRows(transaction)) !== JSON.stringify(present)) return false
    const updated_at = new Date().toISOString()
    await transaction.deleteFrom('partners').execute()
    for (const row of rows)
      await transaction
        .insertInto('partners')
        .values({ ...row, updated_at })
        .execute()
    await transaction
      .insertInto('partner_versions')
      .values({ name: versionName, version: 1 })
      .onConflict(conflict =>
        conflict
          .column('name')
          .doUpdateSet(({ ref, eb }) => ({ version: eb(ref('partner_versions.version'), '+', 1) })),
      )
      .execute()
    return true
  }
  return runTransaction(database, replace, { isRepeatable: true })
}

/** Makes the rows of registrations; one whose content is as before keeps its present row. */
export async function rowsOf(
  registrations: readonly PartnerRegistration[],
  present: readonly PartnerRow[],
  sealer: SecretSealer,
): Promise<readonly PartnerRow[]> {
  const byContent = new Map<string, PartnerRow>()
  for (const row of present) {
    // A row that cannot be read is written anew.
    const registration = await unsealRegistration(row, sealer).catch(() => undefined)
    if (registration) byContent.set(JSON.stringify(registration), row)
  }
  return Promise.all(
    registrations.map(async registration => {
      const parsed = partnerRegistrationSchema.parse(registration)
      return byContent.get(JSON.stringify(parsed)) ?? sealRegistration(parsed, sealer)
    }),
  )
}

async function sealRegistration(registration: ParsedRegistration, sealer: SecretSealer): Promise<PartnerRow> {
  const { id } = registration
  const keys = registration.keys.map(async key =>
    key.kind === 'secret' ? { ...key, secret: await sealer.seal(id, key.secret) } : key,
  )
  return { id, registration: JSON.stringify({ ...registration, keys: await Promise.all(keys) }) }
}

/**
 * Reads the registration of a row.
 *
 * @throws {SealedSecretError} when a secret cannot be opened
 * @throws {z.ZodError} when a newer version of the service wrote something else
 */
export async function unsealRegistration(row: PartnerRow, sealer: SecretSealer): Promise<ParsedRegistration> {
  const parsed = partnerRegistrationSchema.parse(JSON.parse(row.registration))
  const keys = parsed.keys.map(async key =>
    key.kind === 'secret' ? { ...key, secret: await sealer.unseal(row.id, key.secret) } : key,
  )
  return { ...parsed, keys: await Promise.all(keys) }
}
