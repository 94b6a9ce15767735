import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { PartnerRegistration } from '@service-link/jwt-payload/receiver'
import { ServiceLinkError } from '@service-link/protocol-core/errors'
import type { Logger } from 'pino'
import { parsePartners } from '../read-partners.ts'
import { StartError } from '../start-error.ts'

/** What {@link watchPartnersFile} needs. */
export interface PartnersFileOptions {
  readonly path: string
  /** Puts the registrations in force. */
  readonly put: (registrations: readonly PartnerRegistration[]) => Promise<void>
  readonly logger: Logger
}

/**
 * Looks after the file of the partners. It is read by its content, at intervals: a file that is exchanged, or that a link
 * points to anew, is noticed like one that is written over. It counts once it stays the same from one look to the next, so
 * that half of a file is never taken for the whole.
 *
 * @returns looks at the file once. What is not acceptable is logged, once, and the former registrations stay in force.
 * Rejects when the database fails; the next look tries again
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

/** Whether the registrations, not the moment, are at fault. */
function isRefusal(error: unknown): error is ServiceLinkError<string> {
  return error instanceof ServiceLinkError && error.code !== 'ERR_UNAVAILABLE'
}
