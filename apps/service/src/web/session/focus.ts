import { shared } from '@service-link/ui/shared'
import { navigate } from 'wouter/use-browser-location'
import * as z from 'zod/mini'
import { dismissNotice } from '../parts/notices.tsx'
import { keptInTab, tabKeep } from '../state/storage.ts'
import { t } from '../texts/texts.ts'
import { forgetInFrame } from './journal-frame.ts'

const focusSchema = z.object({
  accountId: z.string(),
  personId: z.int().check(z.positive()),
})

/** Who is in focus. Kept for each tab and account, so that two tabs never mix up two persons. */
const focus = keptInTab('service-focus', focusSchema)

const facts = {
  customId: z.optional(z.string()),
  firstname: z.optional(z.string()),
  middlename: z.optional(z.string()),
  lastname: z.optional(z.string()),
  dateOfBirth: z.optional(z.string()),
  ssn: z.optional(z.string()),
}

/** A person as sent and the persons whom it may be. */
export const choiceSchema = z.object({
  sent: z.object(facts),
  candidates: z.readonly(
    z.array(
      z.object({
        ...facts,
        contactId: z.string(),
        /** Names of the facts that contradict those sent. */
        contradictions: z.readonly(z.array(z.string())),
      }),
    ),
  ),
})

interface Choice extends z.output<typeof choiceSchema> {
  readonly accountId: string
}

export interface PendingChoice extends Choice {
  /** Each question has another number. */
  readonly number: number
}

/** The tab keeps that a choice is open. */
const openChoiceKey = 'service-open-choice'

/** Only in the memory of the page, because it has names and numbers. */
const choice = shared<PendingChoice | undefined>(undefined)

export const presentFocus = focus.get

/** Whether the context has ended: the page names nobody until somebody is in focus again. */
const ended = keptInTab('service-context-ended', z.literal(true))

export const useContextEnded = () => ended.use() === true

/** A person's name for a notice. An answer may come after the end of the context in which it was asked for. */
export const nameInNotice = <Name extends string | undefined>(name: Name) =>
  ended.get() ? t('focus.former') : name

/** Puts a person in focus in this tab; `undefined` clears the focus. */
export function setFocus(next: z.output<typeof focusSchema> | undefined): void {
  dropChoice()
  dismissNotice('choice')
  if (next) ended.set(undefined)
  focus.set(next)
}

/** Ends the context: nobody is in focus, no page of a person is open, and nothing names one. Unsaved changes stay. */
export function endFocus(): void {
  ended.set(true)
  forgetInFrame()
  setFocus(undefined)
  dismissNotice('choice', 'edit', 'focus', 'focus-cleared', 'kept', 'workout')
  navigate('/exercises', { replace: true })
}

/** Asks the user which of several persons to choose. Nobody is in focus until then. */
export function askForChoice(next: Choice): void {
  setFocus(undefined)
  asked += 1
  keepChoice({ ...next, number: asked })
}

let asked = 0

function keepChoice(next: PendingChoice | undefined): void {
  tabKeep.write(openChoiceKey, next && 'open')
  choice.set(next)
}

export const dropChoice = () => keepChoice(undefined)

/** Whether a choice was open when the page was left. Says it once. */
export function takeLostChoice(): boolean {
  const isLost = choice.get() === undefined && tabKeep.read(openChoiceKey) !== undefined
  if (isLost) dropChoice()
  return isLost
}

export function focusedPersonId(accountId: string, present = focus.get()): number | undefined {
  return present?.accountId === accountId ? present.personId : undefined
}

export const useFocusedPersonId = (accountId: string) => focusedPersonId(accountId, focus.use())

/** What the user of an account is asked; `undefined` for another account. */
export function usePendingChoice(accountId: string): PendingChoice | undefined {
  const present = choice.use()
  return present?.accountId === accountId ? present : undefined
}

/** The link whose visit opened this tab, with the last end that the visit knew. */
const keptContext = keptInTab(
  'service-context',
  z.object({ linkId: z.string(), lastEnd: z.nullable(z.string()) }),
)

/** Remembers which link opened this tab, and the last end of the partner before. */
export const keepContext = keptContext.set

/**
 * Looks whether the partner has ended the context of this tab, see {@link endFocus}. A tab that no visit has opened belongs to the link of
 * its session.
 */
export function observeContexts(
  contexts: readonly { readonly linkId: string; readonly lastEnd: string | null }[],
  sessionLinkId: string | undefined,
): void {
  const kept = keptContext.get()
  const opened = contexts.find(({ linkId }) => linkId === kept?.linkId)
  const present = opened ?? contexts.find(({ linkId }) => linkId === sessionLinkId)
  if (!present || (opened && opened.lastEnd === kept?.lastEnd)) return
  keptContext.set(present)
  if (opened) endFocus()
}
