import { hkdfSync } from 'node:crypto'
import { defineError } from '@service-link/protocol-core/errors'
import { type PartnerRegistration, partnerRegistrationSchema } from '@service-link/receiver'
import { CompactEncrypt, compactDecrypt } from 'jose'
import type * as z from 'zod'
import { endPartners } from '../auth/end-sessions.ts'
import { lockNames, runTransaction } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'

export interface PartnerRow {
  readonly id: string
  readonly registration: string
}

type ParsedRegistration = z.output<typeof partnerRegistrationSchema>

const versionName = 'partners'

export async function readVersion(database: Database): Promise<number> {
  const row = await database
    .selectFrom('partner_versions')
    .select('version')
    .where('name', '=', versionName)
    .executeTakeFirst()
  return Number(row?.version ?? 0)
}

export function readRows(database: Database): Promise<readonly PartnerRow[]> {
  return database.selectFrom('partners').select(['id', 'registration']).orderBy('id').execute()
}

const activeIds = (rows: readonly PartnerRow[]): ReadonlySet<string> =>
  new Set(rows.filter(row => JSON.parse(row.registration).isActive).map(({ id }) => id))

const changedIds = (before: ReadonlySet<string>, after: ReadonlySet<string>): readonly string[] =>
  [...before, ...after].filter(id => before.has(id) !== after.has(id))

/**
 * Replaces all rows under a lock, with a new version; `false` if they are not `present` any more. Ends the sessions of
 * partners that are locked or removed, and of those that return: another process may have made some meanwhile.
 */
export function replaceRows(
  database: Database,
  present: readonly PartnerRow[],
  rows: readonly PartnerRow[],
): Promise<boolean> {
  const replace = async (transaction: Database): Promise<boolean> => {
    await lockNames(transaction, [versionName])
    if (JSON.stringify(await readRows(transaction)) !== JSON.stringify(present)) return false
    await endPartners(transaction, changedIds(activeIds(present), activeIds(rows)))
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

/** Makes the rows of registrations. An unchanged registration keeps its present row. */
export async function rowsOf(
  registrations: readonly PartnerRegistration[],
  present: readonly PartnerRow[],
  sealer: SecretSealer,
): Promise<readonly PartnerRow[]> {
  const byContent = new Map<string, PartnerRow>()
  for (const row of present) {
    // An unreadable row is replaced.
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

/** Reads the registration of a row; rejects if a secret cannot be opened or a newer version wrote another shape. */
export async function unsealRegistration(row: PartnerRow, sealer: SecretSealer): Promise<ParsedRegistration> {
  const parsed = partnerRegistrationSchema.parse(JSON.parse(row.registration))
  const keys = parsed.keys.map(async key =>
    key.kind === 'secret' ? { ...key, secret: await sealer.unseal(row.id, key.secret) } : key,
  )
  return { ...parsed, keys: await Promise.all(keys) }
}

/** A partner's stored secret cannot be read: the service has another key now, or the row was changed. */
export class SealedSecretError extends defineError(
  'ERR_SEALED_SECRET',
  'A stored secret of the partner cannot be read: it was sealed with another key of the service.',
) {}

export type SecretSealer = ReturnType<typeof createSecretSealer>

/** Makes a sealer: AES-256-GCM (JWE, `dir`) under a key derived by HKDF from the service's own. */
export function createSecretSealer(authSecret: string) {
  const key = new Uint8Array(hkdfSync('sha256', authSecret, '', 'service-link: secrets of partners', 32))
  return {
    seal: (partnerId: string, secret: string) =>
      new CompactEncrypt(new TextEncoder().encode(secret))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', partner: partnerId })
        .encrypt(key),
    async unseal(partnerId: string, sealed: string) {
      const opened = await compactDecrypt(sealed, key, {
        keyManagementAlgorithms: ['dir'],
        contentEncryptionAlgorithms: ['A256GCM'],
      }).catch(() => undefined)
      if (opened?.protectedHeader.partner !== partnerId) throw new SealedSecretError()
      return new TextDecoder().decode(opened.plaintext)
    },
  }
}
