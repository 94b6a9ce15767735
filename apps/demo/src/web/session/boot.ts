import { z } from 'zod'
import { partnerSchema } from './partner.ts'

const candidateSchema = z.object({ contactId: z.string() })

/** What the partner link made of the person it sent. */
export const contactMatchSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('selected'), contactId: z.string() }),
  z.object({ kind: z.literal('created'), contactId: z.string() }),
  z.object({ kind: z.literal('choose'), candidates: z.array(candidateSchema) }),
])

/** See {@link contactMatchSchema}. */
export type ContactMatch = z.output<typeof contactMatchSchema>

/** See {@link PendingVisit}. */
export const pendingVisitSchema = z.object({
  kind: z.literal('log-in'),
  partner: partnerSchema,
  employee: z.object({
    id: z.string(),
    organizationId: z.string(),
    organizationName: z.string().optional(),
    username: z.string().optional(),
    firstname: z.string().optional(),
    lastname: z.string().optional(),
    email: z.string().optional(),
  }),
  sentFrom: z.string().optional(),
  handle: z.string(),
  expiresAtMs: z.number(),
})

/** A visit from a partner that waits for the log-in of an employee who comes for the first time, and for their confirmation. */
export type PendingVisit = z.output<typeof pendingVisitSchema>

/** Name of the visit's employee as the partner writes it; `undefined` where it sends none. */
export function employeeNameOf({ employee }: PendingVisit): string | undefined {
  return [employee.firstname, employee.lastname].filter(Boolean).join(' ') || employee.username
}

const bootSchema = z.discriminatedUnion('kind', [
  pendingVisitSchema,
  z.object({
    kind: z.literal('signed-in'),
    partner: partnerSchema,
    account: z.object({ id: z.string(), displayName: z.string() }),
    contact: contactMatchSchema,
    replacedAccount: z.object({ id: z.string(), displayName: z.string().optional() }).optional(),
  }),
])

/** How a partner's visit opened this page. */
export type Boot = z.output<typeof bootSchema>

declare global {
  interface Window {
    /** Left by the page that answers the partner link. */
    serviceLinkBoot?: unknown
  }
}

/** Tells how a partner's visit opened this page; `undefined` when none did. To be asked once. */
export function readBoot(): Boot | undefined {
  return bootSchema.safeParse(window.serviceLinkBoot).data
}
