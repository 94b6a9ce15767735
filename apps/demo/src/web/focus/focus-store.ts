import { useSyncExternalStore } from 'react'
import { z } from 'zod'
import { tabKeep } from '../storage.ts'

/** Whom this tab is about. Kept by tab, so that two tabs never mix two persons up, and by account. */
export interface Focus {
  readonly accountId: string
  /** Service user id. */
  readonly personId: number
}

const focusSchema = z.object({ accountId: z.string(), personId: z.int().positive() })
const storageKey = 'service-focus'
const listeners = new Set<() => void>()
let focus: Focus | undefined = read()
/** Persons of whom the user must choose one. */
let choice: readonly number[] = []

function read(): Focus | undefined {
  try {
    return focusSchema.safeParse(JSON.parse(tabKeep.read(storageKey) ?? 'null')).data
  } catch {
    return undefined
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Puts a person in focus in this tab; `undefined`: nobody. */
export function setFocus(next: Focus | undefined): void {
  focus = next
  choice = []
  tabKeep.write(storageKey, next && JSON.stringify(next))
  for (const listener of listeners) listener()
}

/** Asks the user which of several persons is meant; nobody is in focus until that is known. */
export function askForChoice(personIds: readonly number[]): void {
  setFocus(undefined)
  choice = personIds
  for (const listener of listeners) listener()
}

/** Takes the question back. */
export function dropChoice(): void {
  choice = []
  for (const listener of listeners) listener()
}

/** Service user id of the person in focus now, for the account that is signed in. */
export function focusedPersonId(accountId: string): number | undefined {
  return focus?.accountId === accountId ? focus.personId : undefined
}

/** {@link focusedPersonId} for what is drawn anew when it changes. */
export function useFocusedPersonId(accountId: string): number | undefined {
  return useSyncExternalStore(subscribe, () => focusedPersonId(accountId))
}

/** Persons of whom the user must choose one; none when there is no question. */
export function usePendingChoice(): readonly number[] {
  return useSyncExternalStore(subscribe, () => choice)
}
