import type { PartnerRegistration } from '@service-link/jwt-payload/receiver'
import type { Logger } from 'pino'
import type { Database } from '../database/tables.ts'
import { repeat } from '../operations/repeat.ts'
import { createPartnerStore, type PartnerStore } from './partner-store.ts'
import { createSecretSealer } from './secret-sealer.ts'
import { warnOfExpiry } from './warn-of-expiry.ts'
import { watchPartnersFile } from './watch-partners-file.ts'

const dayMs = 24 * 60 * 60 * 1000

/** What {@link keepPartners} needs. */
export interface KeepPartnersOptions {
  readonly database: Database
  readonly authSecret: string
  /** Put in force at the start; `undefined`: those that the database has. */
  readonly registrations: readonly PartnerRegistration[] | undefined
  /** Looked after from then on. */
  readonly file: string | undefined
  /** Longest time until a change by another process, or of the file, is looked for, in milliseconds. */
  readonly refreshMs: number
  readonly logger: Logger
}

/** The partners, kept up to date. */
export interface KeptPartners extends AsyncDisposable {
  readonly store: PartnerStore
}

/**
 * Puts the partners in force and keeps them up to date, beside the requests; speaks daily of certificates that expire.
 *
 * @throws {PartnerRegistrationError} when a registration is not acceptable
 */
export async function keepPartners(options: KeepPartnersOptions): Promise<KeptPartners> {
  const { database, authSecret, registrations, file, refreshMs, logger } = options
  await using resources = new AsyncDisposableStack()
  const store = createPartnerStore({ database, sealer: createSecretSealer(authSecret), logger })
  await (registrations ? store.put(registrations) : store.refresh())
  const warn = async () => warnOfExpiry(store.partners(), new Date(), logger)
  await warn()
  resources.use(repeat(warn, { job: 'warn of expiry', everyMs: dayMs, logger }))
  resources.use(repeat(store.refresh, { job: 'refresh partners', everyMs: refreshMs, logger }))
  if (file !== undefined) {
    const look = watchPartnersFile({ path: file, put: store.put, logger })
    resources.use(repeat(look, { job: 'look at the partners file', everyMs: refreshMs, logger }))
  }
  const owned = resources.move()
  return { store, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}
