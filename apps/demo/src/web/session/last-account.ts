import { z } from 'zod'
import { browserKeep } from '../storage.ts'

/** Item of the local storage that the partner link's pages share with this app: the account signed in last. */
export const accountStorageKey = 'service-link-account'

/** Names of the accounts that are or were signed in here and have not signed out. */
const namesKey = 'service-account-names'
const namesSchema = z.record(z.string(), z.string())

/** An account as this browser remembers it. */
export interface KnownAccount {
  readonly id: string
  readonly name: string
}

/** Who was signed in last in this browser and has not signed out. */
export function readLastAccountId(): string | undefined {
  return browserKeep.read(accountStorageKey)
}

/** Name of an account that was signed in here. */
export function nameOfAccount(id: string): string {
  return readNames()[id] ?? 'Another employee'
}

/** Remembers who is signed in. */
export function keepLastAccount({ id, name }: KnownAccount): void {
  browserKeep.write(namesKey, JSON.stringify({ ...readNames(), [id]: name }))
  browserKeep.write(accountStorageKey, id)
}

/** Forgets everybody: somebody signed out. */
export function forgetAccounts(): void {
  browserKeep.write(namesKey, undefined)
  browserKeep.write(accountStorageKey, undefined)
}

function readNames(): Record<string, string> {
  try {
    return namesSchema.safeParse(JSON.parse(browserKeep.read(namesKey) ?? '{}')).data ?? {}
  } catch {
    return {}
  }
}
