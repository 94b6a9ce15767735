import type { PayloadPolicy } from '@service-link/jwt-payload'
import { type JsonObject, type Refusal, readSenderIds } from '@service-link/jwt-payload/steps'
import type { DeliveryPartner } from './partner-directory.ts'
import { createRateLimiter } from './rate-limiter.ts'
import type { ReceiverEvent, ReceiverSettings } from './receiver-options.ts'
import { digestOf, employeeDigestOf } from './stores/digests.ts'
import type { AuditEntry, AuditLog, EmployeeKey } from './stores/ports.ts'

/** What is known of one request. A step that learns more makes new facts. */
export interface RequestFacts {
  readonly requestId: string
  readonly event: 'post' | 'open'
  /** Known once the partner's signature was verified. */
  readonly partner?: DeliveryPartner
  /** The signed part of the token, known once it was verified. */
  readonly signed?: { readonly text: string; readonly claims: JsonObject; readonly policy: PayloadPolicy }
  /** The employee of a payload that took effect. */
  readonly employee?: EmployeeKey
  /** Whether the transaction was committed. Later failures do not take the payload back. */
  readonly isTaken?: boolean
}

const maxOrganizationIdLength = 256

export async function recordEntry(
  { audit }: { readonly audit: AuditLog },
  ...entry: Parameters<typeof entryOf>
): Promise<void> {
  await audit.record(await entryOf(...entry))
}

type SentIds = { readonly [Id in keyof EmployeeKey]?: EmployeeKey[Id] | undefined }

/** Makes an entry. It names the employee by a digest, unless the account is known and no link begins or ends. */
export async function entryOf(
  facts: Pick<AuditEntry, 'at' | 'requestId' | 'event' | 'outcome'>,
  { partnerId, organizationId, employeeId }: SentIds & Pick<EmployeeKey, 'partnerId'>,
  accountId?: string,
): Promise<AuditEntry> {
  const { outcome } = facts
  const isAnonymous = outcome === 'signed-in' || (accountId !== undefined && outcome.endsWith('-ended'))
  const isNamed = !isAnonymous && organizationId !== undefined && employeeId !== undefined
  return {
    ...facts,
    partnerId,
    organizationId: organizationId?.slice(0, maxOrganizationIdLength),
    accountId,
    employeeDigest: isNamed ? await employeeDigestOf({ partnerId, organizationId, employeeId }) : undefined,
  }
}

/** Limit for one partner and code. A common limit would let refusals of one kind keep the others out of the log. */
const maxAuditedRefusalsPerMinute = 600

/** A token's refusal with one code is recorded once in this time: a stolen old token cannot fill the audit log. */
const hourMs = 60 * 60 * 1000

const maxRefusedTokens = 10_000

/** The settings of one receiver, and how it reports the results of requests. A failure to report changes no answer. */
export interface ReceiverParts extends ReceiverSettings {
  /** Tells the listener. */
  readonly tell: (event: ReceiverEvent) => void
  /** Tells the listener of a refusal, and records it if the partner is known. */
  readonly refused: (facts: RequestFacts, refusal: Refusal, cause?: { readonly cause: unknown }) => void
}

/** Adds the reports to the settings. */
export function withReports(settings: ReceiverSettings): ReceiverParts {
  const { onEvent, audit, clock } = settings
  const refusals = createRateLimiter()
  const tokens = createRateLimiter(undefined, { windowMs: hourMs, maxKeys: maxRefusedTokens })
  const tell = (event: ReceiverEvent): void => drop(async () => onEvent(event))
  return {
    ...settings,
    tell,
    refused: ({ requestId, event, partner, signed, employee }, refusal, cause) => {
      const { code } = refusal
      tell({ requestId, event, result: code, partnerId: partner?.id, refusal, ...cause })
      if (!partner || !audit) return
      drop(async () => {
        const at = clock()
        const token = signed && `${code} ${await digestOf(signed.text)}`
        if (token !== undefined && !(await tokens.take(token, 1, at)).isAllowed) return
        const kind = `${partner.id} ${code}`
        if (!(await refusals.take(kind, maxAuditedRefusalsPerMinute, at)).isAllowed) return
        const facts = { at, requestId, event, outcome: code }
        // Leaves out identifiers that are not acceptable.
        const sent = signed ? readSenderIds(signed.claims, signed.policy) : employee
        await recordEntry({ audit }, facts, { ...sent, partnerId: partner.id })
      })
    },
  }
}

function drop(work: () => Promise<unknown>): void {
  work().catch(() => undefined)
}
