import type { Partner } from '@service-link/jwt-payload/receiver'
import type { Logger } from 'pino'

/** How long before its end a certificate is spoken of, in milliseconds. */
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
