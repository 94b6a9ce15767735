import {
  importPartner,
  type Partner,
  type PartnerDirectory,
  type PartnerRegistration,
  partnerDirectoryOf,
} from '@service-link/jwt-payload/receiver'
import type { Logger } from 'pino'
import type { Database } from '../database/tables.ts'
import { importRegistrations } from './import-registrations.ts'
import {
  type PartnerRow,
  readRows,
  readVersion,
  replaceRows,
  rowsOf,
  unsealRegistration,
} from './partner-rows.ts'
import type { SecretSealer } from './secret-sealer.ts'

/** What {@link createPartnerStore} needs. */
export interface PartnerStoreOptions {
  readonly database: Database
  readonly sealer: SecretSealer
  readonly logger: Logger
  /** Default: the machine's clock. */
  readonly clock?: () => Date
}

/** The partners of the service, in its database: the same for every process on it. */
export interface PartnerStore {
  /** Finds partners as they were at the last refresh; asks the database nothing. */
  readonly directory: PartnerDirectory
  /** The partners as they were at the last refresh. */
  readonly partners: () => readonly Partner[]
  /**
   * Puts registrations in force in place of all that there are. Who is not among them is forgotten, with its keys; links of
   * its employees stay. Putting the same again changes nothing.
   *
   * @throws {PartnerRegistrationError} when one is not acceptable; those before stay in force
   * @throws {ReceiverOptionError} when two have one issuer, or a key of one name without an issuer each
   */
  put(registrations: readonly PartnerRegistration[]): Promise<void>
  /** Takes over what other processes have put: one small query, and the rest only when the version is another one. */
  refresh(): Promise<void>
}

/** A partner with the row that it was made of. */
interface Loaded {
  readonly row: PartnerRow
  readonly partner: Partner
}

/** Makes the store; it knows no partner before the first `put` or `refresh`. */
export function createPartnerStore(options: PartnerStoreOptions): PartnerStore {
  const { database, sealer, logger, clock = () => new Date() } = options
  let version: number | undefined
  let loaded: ReadonlyMap<string, Loaded> = new Map()
  let directory = partnerDirectoryOf([])
  let lastRefresh = Promise.resolve()

  /** A partner whose row is as before keeps its imported keys, with the key sets that were fetched. */
  const load = async (row: PartnerRow): Promise<Loaded | undefined> => {
    const before = loaded.get(row.id)
    if (before?.row.registration === row.registration) return before
    try {
      const registration = await unsealRegistration(row, sealer)
      return { row, partner: await importPartner(registration, { validity: 'use' }) }
    } catch (error) {
      // The others must go on working.
      const code = error instanceof Error && 'code' in error ? error.code : undefined
      logger.error({ partnerId: row.id, code }, 'partner cannot be used')
      return undefined
    }
  }

  const takeOver = async (): Promise<void> => {
    // Before the rows: if they are newer than this version, the next refresh reads them once more.
    const present = await readVersion(database)
    if (present === version) return
    const rows = await Promise.all((await readRows(database)).map(load))
    const entries = rows.filter(entry => entry !== undefined)
    directory = partnerDirectoryOf(entries.map(({ partner }) => partner))
    loaded = new Map(entries.map(entry => [entry.row.id, entry]))
    if (version !== undefined) logger.info({ partners: loaded.size }, 'partners changed')
    version = present
  }

  /** One at a time: of two at once the one that ends last may have read first, and bring a withdrawn key back. */
  const refresh = (): Promise<void> => {
    lastRefresh = lastRefresh.catch(() => undefined).then(takeOver)
    return lastRefresh
  }

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
    // Another process may have put its own meanwhile: what counts as known is another thing then.
    if (!isUnchanged && !(await replaceRows(database, present, rows))) return put(registrations)
    await refresh()
  }

  return {
    directory: { find: hint => directory.find(hint), get: partnerId => directory.get(partnerId) },
    partners: () => Array.from(loaded.values(), ({ partner }) => partner),
    put,
    refresh,
  }
}
