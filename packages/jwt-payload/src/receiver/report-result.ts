import type { RefusalCode } from '../errors/refusal-codes.ts'
import { employeeEntry } from './effects/audit-entry.ts'
import { createMemoryRateLimiter } from './memory/rate-limiter.ts'
import type { RateLimiter } from './ports/rate-limit.ts'
import type { ReceiverEvent, ReceiverSettings } from './receiver-options.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Refusals of one partner with one code that are recorded in a minute: who has caught an old token could otherwise fill the
 * audit log, and, were they counted together, keep refusals of another kind out of it.
 */
const maxAuditedRefusalsPerMinute = 600

/** Tells the outside what became of a request. Nothing that fails there changes an answer: what is told has happened. */
export interface Reporter {
  /** Tells the listener. */
  readonly tell: (event: ReceiverEvent) => void
  /** Tells the listener of a refusal, and records it when the partner is known. */
  readonly refused: (context: RequestContext, code: RefusalCode, cause?: { readonly cause: unknown }) => void
}

/** Makes the reporter of one receiver. */
export function createReporter({ onEvent, audit, clock }: ReceiverSettings): Reporter {
  const refusals = createMemoryRateLimiter()
  const tell = (event: ReceiverEvent): void => drop(async () => onEvent(event))
  return {
    tell,
    refused: (context, code, cause) => {
      const { requestId, event, partner } = context
      tell({ requestId, event, result: code, partnerId: partner?.id, ...cause })
      if (!partner || !audit) return
      drop(async () => {
        const at = clock()
        if (!(await isAudited(refusals, `${partner.id} ${code}`, at))) return
        await audit.record(
          await employeeEntry(
            { at, requestId, event, outcome: code },
            { ...context.employee, partnerId: partner.id },
          ),
        )
      })
    },
  }
}

async function isAudited(refusals: RateLimiter, kind: string, now: Date): Promise<boolean> {
  return (await refusals.take(kind, maxAuditedRefusalsPerMinute, now)).isAllowed
}

function drop(work: () => Promise<unknown>): void {
  work().catch(() => undefined)
}
