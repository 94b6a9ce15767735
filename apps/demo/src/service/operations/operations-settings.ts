import { z } from 'zod'
import { parseTrustedProxies, type TrustedProxies, TrustedProxiesError } from '../http/trusted-proxies.ts'

/** The part of `--help` that says how the service is operated. */
export const operationsHelp = `TRUSTED_PROXIES  number of proxies before the service, or their addresses and CIDR ranges with commas between;
               they say whose address a caller has (0)
FORWARDED_HEADER  the header in which they do: x-forwarded-for or forwarded (x-forwarded-for)
METRICS_PORT   port to serve metrics on, for Prometheus, 0 for a free one (they are not served)
METRICS_HOST   address to serve them on (127.0.0.1)
AUDIT_DAYS     how long the audit log is kept, in days (400)
DRAIN_SECONDS  how long requests are still taken after SIGTERM, while /health/ready says 503 (0)
GRACE_SECONDS  how long running requests may take at the end (10)`

const seconds = (fallback: number) => z.coerce.number().int().min(0).max(600).default(fallback)

/** The variables of it. */
export const operationsShape = {
  TRUSTED_PROXIES: z
    .string()
    .default('0')
    .transform((text, context): TrustedProxies => {
      try {
        return parseTrustedProxies(text)
      } catch (error) {
        if (!(error instanceof TrustedProxiesError)) throw error
        context.addIssue({ code: 'custom', message: error.message })
        return z.NEVER
      }
    }),
  FORWARDED_HEADER: z.enum(['x-forwarded-for', 'forwarded']).default('x-forwarded-for'),
  METRICS_PORT: z.coerce.number().int().min(0).max(65535).optional(),
  METRICS_HOST: z.string().min(1).default('127.0.0.1'),
  AUDIT_DAYS: z.coerce.number().int().min(1).max(36_500).default(400),
  DRAIN_SECONDS: seconds(0),
  GRACE_SECONDS: seconds(10),
}

/** What the variables say. */
export type OperationsSettings = z.output<z.ZodObject<typeof operationsShape>>

/** The options of the service that they set. */
export function operationsOf(settings: OperationsSettings) {
  const { METRICS_PORT: port, METRICS_HOST: host } = settings
  return {
    proxies: { trustedProxies: settings.TRUSTED_PROXIES, forwardedHeader: settings.FORWARDED_HEADER },
    auditDays: settings.AUDIT_DAYS,
    drainMs: settings.DRAIN_SECONDS * 1000,
    graceMs: settings.GRACE_SECONDS * 1000,
    ...(port === undefined ? {} : { metrics: { port, host } }),
  }
}
