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
