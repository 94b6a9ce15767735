import { shared } from '@service-link/ui/shared'
import * as z from 'zod/mini'
import { keptInTab } from '../state/storage.ts'

const field = z.nullable(z.string())

/** Unsaved changes by the person's id. They survive a lost session, for the same account. */
const draftsSchema = z.object({
  accountId: z.string(),
  byPerson: z.record(z.string(), z.record(z.string(), z.object({ seen: field, value: field }))),
  /** Whose draft was changed last. */
  lastId: z.number(),
})

/** Changed fields that are not saved: what the page showed before, and what the user typed. */
export type Draft = z.output<typeof draftsSchema>['byPerson'][string]

const drafts = keptInTab('service-drafts', draftsSchema)

const draftsOf = (accountId: string, kept = drafts.get()) =>
  kept?.accountId === accountId ? kept.byPerson : {}

export function draftOf(accountId: string, personId: number): Draft | undefined {
  return draftsOf(accountId)[personId]
}

/** All unsaved changes of an account, by the person's id. */
export const useDrafts = (accountId: string) => draftsOf(accountId, drafts.use())

/** The persons of these drafts, the one changed last at first. */
export function useDraftIds(accountId: string): readonly number[] {
  const ids = Object.keys(useDrafts(accountId)).map(Number)
  const isLast = (id: number) => id === drafts.get()?.lastId
  return ids.toSorted((one, other) => Number(isLast(other)) - Number(isLast(one)))
}

const restored = shared(0)

/** Changes with each draft that is restored: what shows drafts begins anew then. */
export const useRestored = restored.use

/** Puts a discarded draft back, under what was typed since. */
export function restoreDraft(accountId: string, personId: number, discarded: Draft): void {
  keepDraft(accountId, personId, { ...discarded, ...draftOf(accountId, personId) })
  restored.set(restored.get() + 1)
}

/** Keeps the unsaved changes of a person; none forget the draft. */
export function keepDraft(accountId: string, personId: number, changes: Draft = {}): void {
  const isEmpty = Object.keys(changes).length === 0
  // The drafts of another account, who has signed in meanwhile, stay.
  if (isEmpty && drafts.get()?.accountId !== accountId) return
  const { [personId]: _, ...others } = draftsOf(accountId)
  const byPerson = isEmpty ? others : { ...others, [personId]: changes }
  const lastId = isEmpty ? (drafts.get()?.lastId ?? personId) : personId
  drafts.set(Object.keys(byPerson).length === 0 ? undefined : { accountId, byPerson, lastId })
}

/** Hands over all unsaved changes, with their account. */
export function takeDrafts(): { readonly user: string; readonly value: unknown } | undefined {
  const kept = drafts.get()
  return kept && { user: kept.accountId, value: kept }
}

/** Puts back what {@link takeDrafts} has handed over, under what was typed since. */
export function restoreDrafts(value: unknown): void {
  const { accountId, byPerson } = draftsSchema.parse(value)
  for (const [id, draft] of Object.entries(byPerson)) restoreDraft(accountId, Number(id), draft)
}

/** Whether there are unsaved changes of any account in this tab. */
export const hasDrafts = () => drafts.get() !== undefined

/** Forgets the drafts of all accounts but this one. */
export function forgetDrafts(accountId?: string): void {
  if (drafts.get()?.accountId !== accountId) drafts.set(undefined)
}
