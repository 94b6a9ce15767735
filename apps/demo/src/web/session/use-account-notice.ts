import { useEffect, useRef } from 'react'
import type { Employee } from '../api/queries.ts'
import { dismissNotice, tell } from '../notices/notices.tsx'
import type { Boot } from './boot.ts'
import { keepLastAccount, nameOfAccount, readLastAccountId } from './last-account.ts'

/** Says so when another account took the place of the one that was signed in in this browser. */
export function useAccountNotice(employee: Employee | undefined, boot: Boot | undefined): void {
  const shownId = useRef<string>(undefined)
  const replacedAtStart = useRef(boot?.kind === 'signed-in' ? boot.replacedAccount?.id : undefined)
  useEffect(() => {
    const formerId = shownId.current ?? replacedAtStart.current ?? readLastAccountId()
    shownId.current = employee?.accountId
    if (!employee) return
    replacedAtStart.current = undefined
    keepLastAccount({ id: employee.accountId, name: employee.name })
    if (formerId === undefined || formerId === employee.accountId) return
    dismissNotice('focus')
    dismissNotice('workout')
    tell({
      subject: 'account',
      tone: 'warning',
      title: `${employee.name} is signed in now`,
      text: `${nameOfAccount(formerId)} was signed in in this browser before and is not any more.`,
    })
  }, [employee])
}
