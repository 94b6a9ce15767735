import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { Partner, PartnerRegistration } from '@service-link/jwt-payload/receiver'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import type { Logger } from 'pino'
import type { Database } from '../database/tables.ts'
import { repeat } from '../operations/repeat.ts'
import { StartError } from '../operations/start-error.ts'
import { createSecretSealer } from './partner-rows.ts'
import { createPartnerStore, type PartnerStore } from './partner-store.ts'
import { parsePartners } from './read-partners.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Options of {@link keepPartners}. */
interface KeepPartnersOptions {
  readonly database: Database
  readonly authSecret: string
  /** Replace those of the database at the start; `undefined`: the database's stay. */
  readonly registrations: readonly PartnerRegistration[] | undefined
  /** A file whose changes are loaded. */
  readonly file: string | undefined
  /** Interval of looks at the database and the file, in milliseconds. */
  readonly refreshMs: number
  readonly logger: Logger
}

/** The partners, kept up to date. */
interface KeptPartners extends AsyncDisposable {
  readonly store: PartnerStore
}

/**
 * Loads the partners and keeps them up to date. Warns daily of certificates that expire.
 *
 * @throws {PartnerRegistrationError} if a registration is not acceptable
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

/** Time of the warning before a certificate's end, in milliseconds. */
const noticeMs = 30 * 24 * 60 * 60 * 1000

/** Logs a warning for each registered certificate that has expired or does so within 30 days. */
export function warnOfExpiry(partners: readonly Partner[], now: Date, logger: Logger): void {
  for (const { id: partnerId, keys } of partners)
    for (const { certificate } of keys) {
      if (!certificate || certificate.notAfter.getTime() - now.getTime() > noticeMs) continue
      const { thumbprint, notAfter } = certificate
      const message = notAfter < now ? 'partner certificate has expired' : 'partner certificate expires soon'
      logger.warn({ partnerId, thumbprint, notAfter: notAfter.toISOString() }, message)
    }
}

/** Options of {@link watchPartnersFile}. */
interface PartnersFileOptions {
  readonly path: string
  /** Puts the registrations in force. */
  readonly put: (registrations: readonly PartnerRegistration[]) => Promise<void>
  readonly logger: Logger
}

/**
 * Watches the file of the partners by its content, so that a replaced file or a changed link is noticed too. New content counts
 * once two looks find it the same: a half-written file is never loaded.
 *
 * @returns looks at the file once. Content that is not acceptable is logged once; the former registrations stay in force.
 * Rejects if the database fails; the next look tries again
 */
export function watchPartnersFile({ path, put, logger }: PartnersFileOptions): () => Promise<void> {
  let seen: string | undefined
  let settled: string | undefined
  const refuse = (reason: string) => logger.error({ reason }, 'partners file refused')
  return async () => {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    const digest = createHash('sha256')
      .update(text ?? '')
      .digest('hex')
    const isNew = digest !== seen
    seen = digest
    if (isNew || digest === settled) return
    try {
      if (text === undefined) refuse('The file cannot be read.')
      else await put(parsePartners(text, path))
    } catch (error) {
      if (!(error instanceof StartError || isRefusal(error))) throw error
      refuse(error.message)
    }
    settled = digest
  }
}

/** Whether the registrations are wrong, not only the database out of reach. */
function isRefusal(error: unknown): error is ServiceLinkError<string> {
  return error instanceof ServiceLinkError && error.code !== 'ERR_UNAVAILABLE'
}
