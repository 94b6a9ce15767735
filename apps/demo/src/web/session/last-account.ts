/** Item of the local storage that the partner link's pages share with this app: the account signed in last. */
export const accountStorageKey = 'service-link-account'

const nameKey = 'service-account-name'

/** Who was signed in last in this browser and has not signed out. */
export function readLastAccount(): { readonly id: string; readonly name: string } | undefined {
  const id = localStorage.getItem(accountStorageKey)
  return id === null ? undefined : { id, name: localStorage.getItem(nameKey) ?? 'Another employee' }
}

/** Remembers who is signed in; `undefined` once somebody signs out. */
export function keepLastAccount(account: { readonly id: string; readonly name: string } | undefined): void {
  if (account) {
    localStorage.setItem(nameKey, account.name)
    localStorage.setItem(accountStorageKey, account.id)
  } else {
    localStorage.removeItem(accountStorageKey)
    localStorage.removeItem(nameKey)
  }
}
