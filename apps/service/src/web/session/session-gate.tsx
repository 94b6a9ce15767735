import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useState } from 'react'
import { queryClient } from '../api/queries.ts'
import { isInFrame } from '../api/request.ts'
import { currentHost } from '../bridge/host.ts'
import { NoSession } from '../parts/frame.tsx'
import { takeDrafts } from './drafts.ts'
import {
  accountStorageKey,
  type Employee,
  endReason,
  endStorageKey,
  sessionQuery,
  useAccountNotice,
} from './log-in.ts'
import { LogInPage } from './log-in-page.tsx'
import { keepPendingVisit, leavePendingVisit, useTabVisit, type VisitSignIn } from './visit.ts'
import { ConfirmLink, FramedLogIn } from './visit-pages.tsx'

/**
 * Shows the app to a signed-in employee, and the log-in page to others and for a waiting visit. After the log-in for
 * a visit it shows the confirmation of the link. After a visit that was left, the user chooses between log-in and the
 * present session.
 */
export function SessionGate({
  signIn,
  children,
}: {
  readonly signIn: VisitSignIn | undefined
  readonly children: (employee: Employee) => ReactNode
}) {
  const { data, error, refetch } = useQuery(sessionQuery)
  const tabVisit = useTabVisit()
  const visit = tabVisit.kind === 'waiting' ? tabVisit.visit : undefined
  const present = data ?? undefined
  const employee = tabVisit.kind === 'none' ? present : undefined
  const isSessionLost = useLostSession(signIn, data)
  useAccountNotice(employee, signIn?.replacedAccountId)
  useOtherTabs()
  useHostSession(employee?.accountId)
  if (data === undefined) return <NoSession error={error} onRetry={refetch} />
  if (employee) return children(employee)
  // In a frame nothing is confirmed, because the page around it could trick the user into a click.
  if (isInFrame) return <FramedLogIn tabVisit={tabVisit} isSessionLost={isSessionLost} />
  if (visit && present && visit.accountId === present.accountId)
    return <ConfirmLink visit={visit} employee={present} />
  return (
    <LogInPage
      key={visit?.handle ?? 'plain'}
      tabVisit={tabVisit}
      present={present}
      isSessionLost={isSessionLost}
      onDropVisit={leavePendingVisit}
      onContinue={() => keepPendingVisit(undefined)}
    />
  )
}

/** Whether a visit signed somebody in, but the browser did not keep the session. */
function useLostSession(signIn: VisitSignIn | undefined, present: Employee | null | undefined): boolean {
  const [wasKept, setWasKept] = useState(false)
  useEffect(() => {
    if (present) setWasKept(true)
  }, [present])
  return signIn !== undefined && present === null && !wasKept
}

/** Asks for the session again after a sign-in or sign-out in another tab, and after "back". */
function useOtherTabs(): void {
  useEffect(() => {
    const askAgain = () => void queryClient.invalidateQueries({ queryKey: ['session'] })
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) askAgain()
    }
    const onStorage = ({ key }: StorageEvent) => {
      if (key === accountStorageKey || key === endStorageKey || key === null) askAgain()
    }
    window.addEventListener('storage', onStorage)
    window.addEventListener('pageshow', onPageShow)
    return () => {
      window.removeEventListener('storage', onStorage)
      window.removeEventListener('pageshow', onPageShow)
    }
  }, [])
}

/** Before the effects of what it surrounds: the wrapper takes the person in focus only of somebody who is signed in. */
function useHostSession(accountId: string | undefined): void {
  useLayoutEffect(() => {
    if (accountId === undefined) return
    currentHost()?.signedIn(accountId)
    return () => {
      const reason = endReason()
      // The wrapper removes what the tab keeps. Who signs out has been asked.
      currentHost()?.signedOut(reason, reason === 'user' ? undefined : takeDrafts())
    }
  }, [accountId])
}
