import { navigate } from 'wouter/use-browser-location'
import * as z from 'zod/mini'
import { isInFrame } from '../api/request.ts'
import { moveKeyboard } from '../parts/keyboard.ts'
import { keptInTab } from '../state/storage.ts'
import { askForChoice, choiceSchema, keepContext, setFocus } from './focus.ts'
import { beginFrame, frameSchema, meanInFrame } from './journal-frame.ts'

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

const contactMatchSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('selected'), contactId: z.string() }),
  z.object({ kind: z.literal('created'), contactId: z.string() }),
  z.extend(choiceSchema, { kind: z.literal('choose') }),
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
  z.extend(bootVisitSchema, { frame: z.optional(frameSchema) }),
  z.object({
    kind: z.literal('signed-in'),
    frame: z.optional(frameSchema),
    partner: partnerSchema,
    account: z.object({ id: z.string(), displayName: z.string(), lastEnd: z.optional(z.string()) }),
    linkId: z.string(),
    contact: contactMatchSchema,
    replacedAccount: z.optional(z.object({ id: z.string(), displayName: z.optional(z.string()) })),
  }),
])

declare global {
  interface Window {
    /** Written by the page that answers the partner link. */
    serviceLinkBoot?: unknown
  }
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

/** The page was loaded by a visit that signed somebody in. */
export interface VisitSignIn {
  readonly replacedAccountId: string | undefined
}

/**
 * Starts the visit that loaded the page, if any, in this tab. The tab's former data are dropped, because another employee may
 * use it now. The page itself must not keep the visit's data for longer than they are shown.
 */
export function beginVisit(): VisitSignIn | undefined {
  const given = window.serviceLinkBoot
  const { data: boot } = bootSchema.safeParse(given)
  // Whoever is meant by a visit that cannot be read, it is not the person of before.
  if (given !== undefined && !boot) setFocus(undefined)
  window.serviceLinkBoot = undefined
  document.getElementById('service-link-boot')?.remove()
  if (given !== undefined) beginFrame(boot?.frame)
  if (boot?.kind === 'log-in') {
    const { frame: _, ...visit } = boot
    setFocus(undefined)
    keepPartner(undefined)
    keepPendingVisit(visit)
  }
  if (boot?.kind !== 'signed-in') return undefined
  keepPendingVisit(undefined)
  keepPartner(boot.partner)
  keepContext({ linkId: boot.linkId, lastEnd: boot.account.lastEnd ?? null })
  focusContact(boot.contact, boot.account.id, boot.partner)
  return { replacedAccountId: boot.replacedAccount?.id }
}

/** Landing views by their names in a registration. Default: the person's page. */
const landingPaths: ReadonlyMap<string | undefined, string> = new Map([
  ['workouts', '/workouts'],
  ['exercises', '/exercises'],
])

let hasArrived = false

/** Whether a visit has put somebody in focus. Says it once. */
export function takeArrival(): boolean {
  const was = hasArrived
  hasArrived = false
  return was
}

/** Puts the person of a visit in focus and shows the partner's landing view; or asks which of several persons to choose. */
export function focusContact(
  contact: z.output<typeof contactMatchSchema>,
  accountId: string,
  { appearance }: Partner,
): void {
  if (contact.kind === 'choose') {
    const { sent, candidates } = contact
    askForChoice({ accountId, sent, candidates })
    navigate('/persons', { replace: true })
    return
  }
  const personId = Number(contact.contactId)
  meanInFrame(personId)
  setFocus({ accountId, personId })
  hasArrived = true
  const landingPath = landingPaths.get(appearance.landingView)
  navigate(landingPath ?? `/persons/${personId}`, { replace: true })
  // A frame must not take it from the page around it.
  if (!isInFrame) moveKeyboard(landingPath ? '#content h1' : '.pane-detail h2')
}
