import { useEffect, useRef } from 'react'
import { z } from 'zod'
import type { Employee } from '../api/queries.ts'
import { dismissNotice, tell } from '../parts/notices.tsx'
import { browserKeep, readKept } from '../parts/storage.ts'
import type { Boot } from './visit.ts'

/** Item of the local storage that the partner link's pages share with this app: the account signed in last. */
export const accountStorageKey = 'service-link-account'

/** Names of the accounts that are or were signed in here and have not signed out. */
const namesKey = 'service-account-names'
const namesSchema = z.record(z.string(), z.string())

const readNames = () => readKept(browserKeep, namesKey, namesSchema) ?? {}

/** Forgets all accounts of this browser, because somebody signed out. */
export function forgetAccounts(): void {
  browserKeep.write(namesKey, undefined)
  browserKeep.write(accountStorageKey, undefined)
}

/** Warns when another account took the place of the one that was signed in in this browser. */
export function useAccountNotice(employee: Employee | undefined, boot: Boot | undefined): void {
  const shownId = useRef<string>(undefined)
  const replacedAtStart = useRef(boot?.kind === 'signed-in' ? boot.replacedAccount?.id : undefined)
  useEffect(() => {
    const formerId = shownId.current ?? replacedAtStart.current ?? browserKeep.read(accountStorageKey)
    shownId.current = employee?.accountId
    if (!employee) return
    replacedAtStart.current = undefined
    browserKeep.write(namesKey, JSON.stringify({ ...readNames(), [employee.accountId]: employee.name }))
    browserKeep.write(accountStorageKey, employee.accountId)
    if (formerId === undefined || formerId === employee.accountId) return
    dismissNotice('focus')
    dismissNotice('workout')
    tell({
      subject: 'account',
      tone: 'warning',
      title: `${employee.name} is signed in now`,
      text: `${readNames()[formerId] ?? 'Another employee'} was signed in in this browser before and is not any more.`,
    })
  }, [employee])
}
