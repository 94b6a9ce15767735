import { type Certificate, CertificateValidityError } from '@service-link/jwt-payload'
import { defineError, ServiceLinkError } from '@service-link/protocol-core/errors'
import {
  importPartner,
  type Partner,
  type PartnerDirectory,
  type PartnerRegistration,
  partnerDirectoryOf,
  partnerRegistrationSchema,
} from '@service-link/receiver'
import type { Logger } from 'pino'
import type { Database } from '../database/tables.ts'
import {
  type PartnerRow,
  readRows,
  readVersion,
  replaceRows,
  rowsOf,
  type SecretSealer,
  unsealRegistration,
} from './partner-rows.ts'

/** Registrations are not acceptable; the former ones stay in force. Names partner, path and thumbprint, never a key. */
export class PartnerRegistrationError extends defineError('ERR_PARTNER_REGISTRATION') {}

export interface PartnerStoreOptions {
  readonly database: Database
  readonly sealer: SecretSealer
  readonly logger: Logger
  readonly clock?: () => Date
}

export type PartnerStore = ReturnType<typeof createPartnerStore>

interface Loaded {
  readonly row: PartnerRow
  readonly partner: Partner
}

/** The partners of the service, in its database: the same for every process on it. */
export function createPartnerStore(options: PartnerStoreOptions) {
  const { database, sealer, logger, clock = () => new Date() } = options
  let version: number | undefined
  let loaded: ReadonlyMap<string, Loaded> = new Map()
  let directory = partnerDirectoryOf([])
  let lastRefresh = Promise.resolve()

  /** An unchanged partner keeps its imported keys and fetched key sets. */
  const load = async (row: PartnerRow): Promise<Loaded | undefined> => {
    const before = loaded.get(row.id)
    if (before?.row.registration === row.registration) return before
    try {
      const registration = await unsealRegistration(row, sealer)
      return { row, partner: await importPartner(registration, { validity: 'use' }) }
    } catch (error) {
      // The other partners must go on working.
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      logger.error({ partnerId: row.id, code }, 'partner cannot be used')
      return undefined
    }
  }

  const takeOver = async (): Promise<void> => {
    // Read before the rows: newer rows are then read once more by the next refresh.
    const present = await readVersion(database)
    if (present === version) return
    const rows = await Promise.all((await readRows(database)).map(load))
    const entries = rows.filter(entry => entry !== undefined)
    directory = partnerDirectoryOf(entries.map(({ partner }) => partner))
    loaded = new Map(entries.map(entry => [entry.row.id, entry]))
    if (version !== undefined) logger.info({ partners: loaded.size }, 'partners changed')
    version = present
  }

  /** Refreshes run one at a time: an older read that ends last could bring a withdrawn key back. */
  const refresh = (): Promise<void> => {
    lastRefresh = lastRefresh.catch(() => undefined).then(takeOver)
    return lastRefresh
  }

  /** Replaces all registrations; the former stay if one is not acceptable. Links of employees stay. */
  const put = async (registrations: readonly PartnerRegistration[]): Promise<void> => {
    const present = await readRows(database)
    const known = new Set<string>()
    for (const entry of await Promise.all(present.map(load)))
      for (const { certificate } of entry?.partner.keys ?? [])
        known.add(`${entry?.row.id} ${certificate?.thumbprint}`)
    const isKnown = (id: string, thumbprint: string) => known.has(`${id} ${thumbprint}`)
    partnerDirectoryOf(await importRegistrations(registrations, clock(), isKnown))
    const rows = await rowsOf(registrations, present, sealer)
    const isUnchanged = rows.length === present.length && rows.every(row => present.includes(row))
    // Another process has changed the rows: begin again, with its certificates as known ones.
    if (!isUnchanged && !(await replaceRows(database, present, rows))) return put(registrations)
    await refresh()
  }

  return {
    /** Finds partners as of the last refresh, without a query. */
    directory: {
      find: hint => directory.find(hint),
      get: partnerId => directory.get(partnerId),
    } satisfies PartnerDirectory,
    partners: (): readonly Partner[] => Array.from(loaded.values(), ({ partner }) => partner),
    put,
    /** Loads changes of other processes: one small query, and the rest only for a new version. */
    refresh,
  }
}

/** Imports the keys of new registrations. A certificate that was registered before may have expired since. */
async function importRegistrations(
  registrations: readonly PartnerRegistration[],
  now: Date,
  isKnown: (partnerId: string, thumbprint: string) => boolean,
): Promise<readonly Partner[]> {
  const partners: Partner[] = []
  for (const registration of registrations) {
    try {
      // `assertValid` checks the validity of new certificates.
      const partner = await importPartner(registration, { validity: 'use' })
      assertValid(partner, now, thumbprint => isKnown(partner.id, thumbprint))
      partners.push(partner)
    } catch (error) {
      if (!(error instanceof ServiceLinkError)) throw error
      // An id of another shape is unchecked text: the message does not repeat it.
      const id = partnerRegistrationSchema.shape.id.safeParse(registration.id)
      throw new PartnerRegistrationError(`Partner ${id.data ?? 'without a proper id'}: ${error.message}`)
    }
  }
  const ids = partners.map(({ id }) => id)
  const twice = ids.find((id, index) => ids.indexOf(id) < index)
  if (twice === undefined) return partners
  throw new PartnerRegistrationError(`Partner ${twice} is registered twice. Give each an id of its own.`)
}

function assertValid(partner: Partner, now: Date, isKnown: (thumbprint: string) => boolean): void {
  for (const [index, { certificate }] of partner.keys.entries())
    if (certificate && !isKnown(certificate.thumbprint) && !isInValidity(certificate, now))
      throw new CertificateValidityError(certificate, now, `keys.${index}`)
}

function isInValidity({ notBefore, notAfter }: Certificate, now: Date): boolean {
  return now >= notBefore && now <= notAfter
}
