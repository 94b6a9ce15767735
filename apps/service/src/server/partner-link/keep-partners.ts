import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { issuesOf } from '@service-link/protocol-core'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import { type Partner, type PartnerRegistration, partnerRegistrationSchema } from '@service-link/receiver'
import type { Logger } from 'pino'
import * as z from 'zod'
import type { Database } from '../database/tables.ts'
import { repeat } from '../operations/repeat.ts'
import { StartError } from '../operations/start-error.ts'
import { createSecretSealer } from './partner-rows.ts'
import { createPartnerStore, type PartnerStore } from './partner-store.ts'

const dayMs = 24 * 60 * 60 * 1000

/**
 * Loads the partners and follows changes of the database and the file. `registrations` replace those of the database
 * at the start. Warns daily of certificates that expire and of samples that are taken each time.
 */
export async function keepPartners(options: {
  readonly database: Database
  readonly authSecret: string
  readonly registrations: readonly PartnerRegistration[] | undefined
  readonly file: string | undefined
  readonly refreshMs: number
  readonly logger: Logger
}): Promise<PartnerStore & AsyncDisposable> {
  const { database, authSecret, registrations, file, refreshMs, logger } = options
  const store = createPartnerStore({ database, sealer: createSecretSealer(authSecret), logger })
  await (registrations ? store.put(registrations) : store.refresh())
  const warn = async () => warnOfPartners(store.partners(), new Date(), logger)
  await warn()
  const lookAtFile =
    file === undefined ? undefined : watchPartnersFile({ path: file, put: store.put, logger })
  const refresh = async () => {
    await lookAtFile?.()
    await store.refresh()
  }
  const resources = new AsyncDisposableStack()
  resources.use(repeat(warn, { job: 'warn of partners', everyMs: dayMs, logger }))
  resources.use(repeat(refresh, { job: 'refresh partners', everyMs: refreshMs, logger }))
  return { ...store, [Symbol.asyncDispose]: () => resources.disposeAsync() }
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

/**
 * Reads the partners' registrations, a JSON array. A refusal says where the file is wrong and repeats nothing of it.
 */
export async function readPartners(path: string): Promise<PartnerRegistration[]> {
  const text = await readFile(path, 'utf8').catch(() => {
    throw new StartError(`PARTNERS_FILE: ${path} cannot be read.`)
  })
  return parsePartners(text, path)
}

function parsePartners(text: string, path: string): PartnerRegistration[] {
  let content: unknown
  try {
    content = JSON.parse(text)
  } catch {
    throw new StartError(`PARTNERS_FILE: ${path} is not JSON.`)
  }
  const parsed = z.array(partnerRegistrationSchema).safeParse(content, { reportInput: true })
  if (parsed.success) return parsed.data
  const places = issuesOf(parsed.error).map(({ path, problem }) => `${path}: ${problem}`)
  throw new StartError(`PARTNERS_FILE: ${path} is not acceptable.\n${places.join('\n')}`)
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
