import { navigate } from 'wouter/use-browser-location'
import { z } from 'zod'
import { keptInTab, shared } from '../parts/storage.ts'

const focusSchema = z.object({
  accountId: z.string(),
  /** Service user id. */
  personId: z.int().positive(),
})

/** Who is in focus. Kept for each tab and account, so that two tabs never mix up two persons. */
const focus = keptInTab('service-focus', focusSchema)

/** Persons of whom the user must choose one. */
const choice = shared<readonly number[]>([])

/** Puts a person in focus in this tab; `undefined`: nobody. */
export function setFocus(next: z.output<typeof focusSchema> | undefined): void {
  choice.set([])
  focus.set(next)
}

/** Asks the user which of several persons is meant. Nobody is in focus until then. */
export function askForChoice(personIds: readonly number[]): void {
  setFocus(undefined)
  choice.set(personIds)
}

/** Takes the question back. */
export function dropChoice(): void {
  choice.set([])
}

/** Service user id of the person in focus, for the account that is signed in. */
export function focusedPersonId(accountId: string, present = focus.get()): number | undefined {
  return present?.accountId === accountId ? present.personId : undefined
}

/** {@link focusedPersonId} for a component, which is drawn again when it changes. */
export function useFocusedPersonId(accountId: string): number | undefined {
  return focusedPersonId(accountId, focus.use())
}

/** Persons of whom the user must choose one; none when there is no question. */
export function usePendingChoice(): readonly number[] {
  return choice.use()
}

const partnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  appearance: z
    .object({
      displayName: z.string().optional().catch(undefined),
      /** Only a picture with its own bytes: the server of an address would learn who is at work, and when. */
      logoUrl: z
        .string()
        .regex(/^data:image\/(?:png|svg\+xml|jpeg|webp)[;,]/)
        .optional()
        .catch(undefined),
      color: z
        .string()
        .regex(/^#[\da-f]{6}$/i)
        .optional()
        .catch(undefined),
      landingView: z.string().optional().catch(undefined),
    })
    .default({}),
})

/** A partner as the page shows it. Parts of its appearance that are missing or wrong are left out. */
export type Partner = z.output<typeof partnerSchema>

/** Name of a partner for people. */
export function nameOf({ name, appearance }: Partner): string {
  return appearance.displayName ?? name
}

/** What the partner link made of the person it sent. */
export const contactMatchSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('selected'), contactId: z.string() }),
  z.object({ kind: z.literal('created'), contactId: z.string() }),
  z.object({ kind: z.literal('choose'), candidates: z.array(z.object({ contactId: z.string() })) }),
])

const bootVisitSchema = z.object({
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

/** Only this page sets the account: it has logged in for the visit and has not confirmed the link yet. */
const pendingVisitSchema = bootVisitSchema.extend({ accountId: z.string().optional() })

/** The first visit of an employee: it waits for a log-in, then for the confirmation of the link. */
export type PendingVisit = z.output<typeof pendingVisitSchema>

/** Name of the visit's employee as the partner writes it; `undefined` where it sends none. */
export function employeeNameOf({ employee }: PendingVisit): string | undefined {
  return [employee.firstname, employee.lastname].filter(Boolean).join(' ') || employee.username
}

const bootSchema = z.discriminatedUnion('kind', [
  bootVisitSchema,
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

/** Tells how a partner's visit opened this page; `undefined` when none did. */
export function readBoot(): Boot | undefined {
  return bootSchema.safeParse(window.serviceLinkBoot).data
}

const keptPartner = keptInTab('service-partner', partnerSchema)

/** Remembers from which partner this tab was opened; `undefined` forgets it. */
export const keepPartner = keptPartner.set

/** The partner from which this tab was opened. */
export const usePartner = keptPartner.use

/** A visit that was left without a log-in. The tab shows no data until somebody signs in or continues. */
const leftVisitSchema = z.object({ kind: z.literal('left') })
const keptVisit = keptInTab(
  'service-pending-visit',
  z.discriminatedUnion('kind', [pendingVisitSchema, leftVisitSchema]),
)

/** What this tab has to do with the first visit of an employee. */
export type TabVisit =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting'; readonly visit: PendingVisit }
  /** Nobody logged in for it, and nobody has signed in or continued since. */
  | { readonly kind: 'left'; readonly because: 'dropped' | 'expired' }

/** Keeps the visit that waits in this tab; `undefined` forgets it. */
export function keepPendingVisit(next: PendingVisit | undefined): void {
  keptVisit.set(next)
}

/** Leaves the visit without a log-in for it. */
export function leavePendingVisit(): void {
  keptVisit.set({ kind: 'left' })
}

/** The visit that waits, or waited, for a log-in in this tab. */
export function presentTabVisit(present = keptVisit.get()): TabVisit {
  if (present === undefined) return { kind: 'none' }
  if (present.kind === 'left') return { kind: 'left', because: 'dropped' }
  return present.expiresAtMs > Date.now()
    ? { kind: 'waiting', visit: present }
    : { kind: 'left', because: 'expired' }
}

/** {@link presentTabVisit} for a component, which is drawn again when it changes. */
export function useTabVisit(): TabVisit {
  return presentTabVisit(keptVisit.use())
}

/**
 * Makes this tab the visit's. Everything that the tab was about before goes, because somebody else may sit before it now.
 */
export function beginVisit(boot: Boot): void {
  if (boot.kind === 'log-in') {
    setFocus(undefined)
    keepPartner(undefined)
    keepPendingVisit(boot)
    return
  }
  keepPendingVisit(undefined)
  keepPartner(boot.partner)
  focusContact(boot.contact, boot.account.id, boot.partner)
}

/** Where a partner's visit may begin instead of at the person's page, by the names in a registration. */
const landingPaths: ReadonlyMap<string | undefined, string> = new Map([
  ['workouts', '/workouts'],
  ['exercises', '/exercises'],
])

/** Puts the person of a visit in focus and shows the partner's landing view; or asks which of several is meant. */
export function focusContact(
  contact: z.output<typeof contactMatchSchema>,
  accountId: string,
  { appearance }: Partner,
): void {
  if (contact.kind === 'choose') {
    askForChoice(contact.candidates.map(({ contactId }) => Number(contactId)))
    navigate('/persons', { replace: true })
    return
  }
  const personId = Number(contact.contactId)
  setFocus({ accountId, personId })
  navigate(landingPaths.get(appearance.landingView) ?? `/persons/${personId}`, { replace: true })
}
