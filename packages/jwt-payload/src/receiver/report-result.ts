import type { RefusalCode } from '../errors/refusals.ts'
import { employeeEntry } from './effects/audit-entry.ts'
import { digestOf } from './handles.ts'
import { createMemoryRateLimiter } from './memory/rate-limiter.ts'
import type { RateLimiter } from './ports/rate-limit.ts'
import type { ReceiverEvent, ReceiverSettings } from './receiver-options.ts'
import type { RequestContext } from './request-context.ts'

/**
 * Refusals of one partner with one code that are recorded in a minute. Were they counted together, those of one kind would
 * keep others out of the audit log.
 */
const maxAuditedRefusalsPerMinute = 600

/** In it a token's refusal with one code is recorded once: who has caught an old token cannot fill the audit log with it. */
const hourMs = 60 * 60 * 1000

/** Refused tokens that are remembered at a time. */
const maxRefusedTokens = 10_000

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
  const isRepeated = createRepeatCheck()
  const tell = (event: ReceiverEvent): void => drop(async () => onEvent(event))
  return {
    tell,
    refused: (context, code, cause) => {
      const { requestId, event, partner, signed } = context
      tell({ requestId, event, result: code, partnerId: partner?.id, ...cause })
      if (!partner || !audit) return
      drop(async () => {
        const at = clock()
        if (signed !== undefined && isRepeated(`${code} ${await digestOf(signed)}`, at)) return
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

/** Whether a key came before in the same hour of the clock. Forgets all at once when there are too many. */
function createRepeatCheck(): (key: string, now: Date) => boolean {
  const keys = new Set<string>()
  let hour = 0
  return (key, now) => {
    const present = Math.floor(now.getTime() / hourMs)
    if (present !== hour || keys.size >= maxRefusedTokens) keys.clear()
    hour = present
    if (keys.has(key)) return true
    keys.add(key)
    return false
  }
}

function drop(work: () => Promise<unknown>): void {
  work().catch(() => undefined)
}
