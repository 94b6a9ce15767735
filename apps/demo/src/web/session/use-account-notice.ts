import { useEffect, useRef } from 'react'
import type { Employee } from '../api/queries.ts'
import { tell } from '../notices/notices.tsx'
import type { Boot } from './boot.ts'
import { keepLastAccount, readLastAccount } from './last-account.ts'

/** Says so when another account took the place of the one that was signed in in this browser. */
export function useAccountNotice(employee: Employee | undefined, boot: Boot | undefined): void {
  const shown = useRef<Employee>(undefined)
  const replacedAtStart = useRef(boot?.kind === 'signed-in' ? boot.replacedAccount : undefined)
  useEffect(() => {
    const before = shown.current
    shown.current = employee
    if (!employee || employee.accountId === before?.accountId) return
    const last = readLastAccount()
    const replaced = replacedAtStart.current
    replacedAtStart.current = undefined
    keepLastAccount({ id: employee.accountId, name: employee.name })
    const formerName = before
      ? before.name
      : replaced
        ? (replaced.displayName ?? last?.name ?? 'Another employee')
        : last && last.id !== employee.accountId
          ? last.name
          : undefined
    if (formerName === undefined) return
    tell({
      subject: 'account',
      tone: 'warning',
      title: `${employee.name} is signed in now`,
      text: `${formerName} was signed in in this browser before and is not any more.`,
    })
  }, [employee])
}
