import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CertificateValidityError } from '@service-link/jwt-payload'
import { defineError, ServiceLinkError } from '@service-link/protocol-core/errors'
import {
  importPartner,
  type Partner,
  type PartnerDirectory,
  type PartnerRegistration,
  partnerDirectoryOf,
  partnerRegistrationSchema,
  readRegistrations,
} from '@service-link/receiver'
import type { Logger } from 'pino'
import { endOtherPartners } from '../auth/end-sessions.ts'
import { runTransaction } from '../database/run-transaction.ts'
import type { Database } from '../database/tables.ts'
import { repeat } from '../operations/repeat.ts'
import { StartError } from '../operations/settings.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Takes the partners, and follows changes of their file. Warns daily of certificates that expire and of samples that are taken
 * each time.
 */
export async function keepPartners(options: {
  readonly database: Database
  readonly registrations: readonly PartnerRegistration[]
  readonly file: string | undefined
  readonly refreshMs: number
  readonly logger: Logger
}) {
  const { database, registrations, file, refreshMs, logger } = options
  await using resources = new AsyncDisposableStack()
  const store = createPartnerStore(database)
  await store.put(registrations, { isStart: true })
  const warn = async () => warnOfPartners(store.partners(), new Date(), logger)
  resources.use(await repeat(warn, { job: 'warn of partners', everyMs: dayMs, logger }))
  if (file !== undefined) {
    const look = watchPartnersFile({ path: file, put: store.put, logger })
    resources.use(await repeat(look, { job: 'look at the partners’ file', everyMs: refreshMs, logger }))
  }
  const owned = resources.move()
  return { ...store, [Symbol.asyncDispose]: () => owned.disposeAsync() }
}

/**
 * Registrations are not acceptable; the former ones stay in force. Names partner, path and thumbprint, never a key.
 *
 * @remedy Correct the registration at the path that the message names.
 * @retry no
 * @seenBy operator
 */
export class PartnerRegistrationError extends defineError('ERR_PARTNER_REGISTRATION') {}

interface Loaded {
  readonly registration: string
  readonly partner: Partner
}

/** The partners of this process. The sessions of those that are not active end in the database, for every process on it. */
export function createPartnerStore(database: Database, clock: () => Date = () => new Date()) {
  let loaded: ReadonlyMap<string, Loaded> = new Map()
  let directory = partnerDirectoryOf([])
  let last = Promise.resolve()

  /** An unchanged partner keeps its imported keys and fetched key sets. */
  const load = async (registration: PartnerRegistration, isStart: boolean): Promise<Loaded> => {
    const before = loaded.get(registration.id)
    const text = JSON.stringify(registration)
    if (before?.registration === text) return before
    const known = before?.partner.keys.map(({ certificate }) => certificate?.thumbprint) ?? []
    return { registration: text, partner: await importRegistration(registration, clock(), known, isStart) }
  }

  const takeOver = async (registrations: readonly PartnerRegistration[], isStart: boolean): Promise<void> => {
    const entries = await Promise.all(registrations.map(registration => load(registration, isStart)))
    const partners = entries.map(({ partner }) => partner)
    directory = partnerDirectoryOf(partners)
    loaded = new Map(entries.map(entry => [entry.partner.id, entry]))
    const active = partners.filter(({ isActive }) => isActive).map(({ id }) => id)
    await runTransaction(database, transaction => endOtherPartners(transaction, active), {
      isRepeatable: true,
    })
  }

  return {
    directory: {
      find: hint => directory.find(hint),
      get: partnerId => directory.get(partnerId),
    } satisfies PartnerDirectory,
    partners: (): readonly Partner[] => Array.from(loaded.values(), ({ partner }) => partner),
    /**
     * Replaces all registrations, one call after the other; the former stay if one is not acceptable. At the start a certificate
     * may have expired since its registration.
     */
    put(registrations: readonly PartnerRegistration[], { isStart = false } = {}): Promise<void> {
      last = last.catch(() => undefined).then(() => takeOver(registrations, isStart))
      return last
    },
  }
}

async function importRegistration(
  registration: PartnerRegistration,
  now: Date,
  known: readonly (string | undefined)[],
  isStart: boolean,
): Promise<Partner> {
  try {
    const partner = await importPartner(registration, { validity: 'use' })
    for (const [index, { certificate }] of partner.keys.entries()) {
      if (!certificate || known.includes(certificate.thumbprint)) continue
      if (now < certificate.notBefore || (now > certificate.notAfter && !isStart))
        throw new CertificateValidityError(certificate, now, `keys.${index}`)
    }
    return partner
  } catch (error) {
    if (!(error instanceof ServiceLinkError)) throw error
    // An id of another shape is unchecked text: the message does not repeat it.
    const id = partnerRegistrationSchema.shape.id.safeParse(registration.id)
    throw new PartnerRegistrationError(`Partner ${id.data ?? 'without a proper id'}: ${error.message}`)
  }
}

/** Logs a warning for each registered certificate that has expired or does so within 30 days, and each `repeatable` partner. */
export function warnOfPartners(partners: readonly Partner[], now: Date, logger: Logger): void {
  for (const { id: partnerId, keys, repeatable } of partners) {
    if (repeatable) logger.warn({ partnerId }, 'partner has sample tokens that never end: for tests alone')
    for (const { certificate } of keys) {
      if (!certificate || certificate.notAfter.getTime() - now.getTime() > 30 * dayMs) continue
      const { thumbprint, notAfter } = certificate
      const message = notAfter < now ? 'partner certificate has expired' : 'partner certificate expires soon'
      logger.warn({ partnerId, thumbprint, notAfter: notAfter.toISOString() }, message)
    }
  }
}

/** Reads the partners' registrations, a JSON array. A refusal says where the file is wrong and repeats nothing of it. */
export async function readPartners(path: string): Promise<readonly PartnerRegistration[]> {
  const text = await readFile(path, 'utf8').catch(error => {
    throw new StartError(`PARTNERS_FILE: ${resolve(path)} cannot be read (${Object(error).code}).`)
  })
  return parsePartners(text, path)
}

function parsePartners(text: string, path: string): readonly PartnerRegistration[] {
  let content: unknown
  try {
    // Editors of Windows write a byte order mark.
    content = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw new StartError(`PARTNERS_FILE: ${path} is not JSON.`)
  }
  try {
    return readRegistrations(content)
  } catch (error) {
    if (!(error instanceof ServiceLinkError)) throw error
    throw new StartError(`PARTNERS_FILE: ${path} is not acceptable. ${error.message}`)
  }
}

/**
 * Watches the partners' file by its content. New content counts once two looks find it the same: a half-written file
 * is never loaded. Content that is not acceptable is logged once; the former registrations stay in force.
 */
export function watchPartnersFile(options: {
  readonly path: string
  readonly put: (registrations: readonly PartnerRegistration[]) => Promise<void>
  readonly logger: Logger
}): () => Promise<void> {
  const { path, put, logger } = options
  let seen: string | undefined
  let settled: string | undefined
  return async () => {
    const text = await readFile(path, 'utf8').catch(() => undefined)
    const digest = createHash('sha256')
      .update(text ?? '')
      .digest('hex')
    const isNew = digest !== seen
    seen = digest
    if (isNew || digest === settled) return
    try {
      if (text === undefined) throw new StartError('The file cannot be read.')
      await put(parsePartners(text, path))
    } catch (error) {
      if (!(error instanceof StartError || isRefusal(error))) throw error
      logger.error({ reason: error.message }, 'partners file refused')
    }
    settled = digest
  }
}

/** Whether the registrations are wrong, not only the database out of reach. */
function isRefusal(error: unknown): error is ServiceLinkError<string> {
  return error instanceof ServiceLinkError && error.code !== 'ERR_UNAVAILABLE'
}
