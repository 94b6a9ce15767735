import { shared } from '@service-link/ui/shared'
import { navigate } from 'wouter/use-browser-location'
import * as z from 'zod/mini'
import { keptInTab } from '../state/storage.ts'

const focusSchema = z.object({
  accountId: z.string(),
  personId: z.int().check(z.positive()),
})

/** Who is in focus. Kept for each tab and account, so that two tabs never mix up two persons. */
const focus = keptInTab('service-focus', focusSchema)

const choice = shared<readonly number[]>([])

export const presentFocus = focus.get

/** Puts a person in focus in this tab; `undefined` clears the focus. */
export function setFocus(next: z.output<typeof focusSchema> | undefined): void {
  choice.set([])
  focus.set(next)
}

/** Asks the user which of several persons to choose. Nobody is in focus until then. */
export function askForChoice(personIds: readonly number[]): void {
  setFocus(undefined)
  choice.set(personIds)
}

export const dropChoice = () => choice.set([])

export function focusedPersonId(accountId: string, present = focus.get()): number | undefined {
  return present?.accountId === accountId ? present.personId : undefined
}

export const useFocusedPersonId = (accountId: string) => focusedPersonId(accountId, focus.use())

export const usePendingChoice = choice.use

const partnerSchema = z.object({
  id: z.string(),
  name: z.string(),
  appearance: z._default(
    z.object({
      displayName: z.catch(z.optional(z.string()), undefined),
      /** Only a data URL: another server would learn who works when. */
      logoUrl: z.catch(
        z.optional(z.string().check(z.regex(/^data:image\/(?:png|svg\+xml|jpeg|webp)[;,]/))),
        undefined,
      ),
      color: z.catch(z.optional(z.string().check(z.regex(/^#[\da-f]{6}$/i))), undefined),
      landingView: z.catch(z.optional(z.string()), undefined),
    }),
    {},
  ),
})

/** A partner on the page. Missing or invalid parts of its appearance are left out. */
export type Partner = z.output<typeof partnerSchema>

export function nameOf({ name, appearance }: Partner): string {
  return appearance.displayName ?? name
}

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
    organizationName: z.optional(z.string()),
    username: z.optional(z.string()),
    firstname: z.optional(z.string()),
    lastname: z.optional(z.string()),
    email: z.optional(z.string()),
  }),
  sentFrom: z.optional(z.string()),
  handle: z.string(),
  expiresAtMs: z.number(),
})

/** Account that has logged in for the visit and has not confirmed the link yet. Only this page sets it. */
const pendingVisitSchema = z.extend(bootVisitSchema, { accountId: z.optional(z.string()) })

/** The first visit of an employee: it waits for a log-in, then for the confirmation of the link. */
export type PendingVisit = z.output<typeof pendingVisitSchema>

/** Name of the visit's employee from the partner; `undefined` without one. */
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
    replacedAccount: z.optional(z.object({ id: z.string(), displayName: z.optional(z.string()) })),
  }),
])

export type Boot = z.output<typeof bootSchema>

declare global {
  interface Window {
    /** Written by the page that answers the partner link. */
    serviceLinkBoot?: unknown
  }
}

export function readBoot(): Boot | undefined {
  return bootSchema.safeParse(window.serviceLinkBoot).data
}

const keptPartner = keptInTab('service-partner', partnerSchema)

/** Remembers from which partner this tab was opened; `undefined` forgets it. */
export const keepPartner = keptPartner.set

export const usePartner = keptPartner.use

/** A visit that was left without a log-in. The tab shows no data until somebody signs in or continues. */
const leftVisitSchema = z.object({ kind: z.literal('left') })
const keptVisit = keptInTab(
  'service-pending-visit',
  z.discriminatedUnion('kind', [pendingVisitSchema, leftVisitSchema]),
)

export type TabVisit =
  | { readonly kind: 'none' }
  | { readonly kind: 'waiting'; readonly visit: PendingVisit }
  /** Nobody has logged in for it or continued without it. */
  | { readonly kind: 'left'; readonly because: 'dropped' | 'expired' }

export const keepPendingVisit = (next: PendingVisit | undefined) => keptVisit.set(next)

export const leavePendingVisit = () => keptVisit.set({ kind: 'left' })

export function presentTabVisit(present = keptVisit.get()): TabVisit {
  if (present === undefined) return { kind: 'none' }
  if (present.kind === 'left') return { kind: 'left', because: 'dropped' }
  return present.expiresAtMs > Date.now()
    ? { kind: 'waiting', visit: present }
    : { kind: 'left', because: 'expired' }
}

export const useTabVisit = () => presentTabVisit(keptVisit.use())

/** Starts a visit in this tab. The tab's former data are dropped, because another employee may use it now. */
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

/** Landing views by their names in a registration. Default: the person's page. */
const landingPaths: ReadonlyMap<string | undefined, string> = new Map([
  ['workouts', '/workouts'],
  ['exercises', '/exercises'],
])

/** Puts the person of a visit in focus and shows the partner's landing view; or asks which of several persons to choose. */
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
