import { Alert, Button, Center, Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { type Employee, sessionQuery } from '../api/queries.ts'
import { queryClient } from '../api/query-client.ts'
import { currentHost } from '../bridge/host.ts'
import type { Boot } from './boot.ts'
import { FramedLogIn } from './framed-log-in.tsx'
import { isInFrame } from './in-frame.ts'
import { accountStorageKey } from './last-account.ts'
import { LogInPage } from './log-in-page.tsx'
import { keepPendingVisit, usePendingVisit } from './pending-visit.ts'
import { useAccountNotice } from './use-account-notice.ts'

/** What {@link SessionGate} needs. */
export interface SessionGateProps {
  readonly boot: Boot | undefined
  readonly children: (employee: Employee) => ReactNode
}

/** Shows the app to a signed-in employee, the log-in page to everybody else and to a visit that waits for a log-in. */
export function SessionGate({ boot, children }: SessionGateProps) {
  const { data, error, isPending, refetch } = useQuery(sessionQuery)
  const visit = usePendingVisit()
  const present = data ?? undefined
  const employee = visit ? undefined : present
  useAccountNotice(employee, boot)
  useOtherTabs()
  useHostSession(employee?.accountId)
  if (isPending)
    return (
      <Center mih="100vh">
        <Loader aria-label="Loading" />
      </Center>
    )
  if (error && data === undefined)
    return (
      <Center mih="100vh" p="md">
        <Alert color="red" title="Service cannot be reached" maw={420}>
          {error.message}{' '}
          <Button mt="md" size="compact-sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </Alert>
      </Center>
    )
  if (employee) return children(employee)
  if (isInFrame) return <FramedLogIn visit={visit} boot={boot} />
  return (
    <LogInPage
      key={visit?.handle ?? 'plain'}
      visit={visit}
      present={present}
      onDropVisit={() => keepPendingVisit(undefined)}
    />
  )
}

/** Somebody signed in or out in another tab: ask again who it is. */
function useOtherTabs(): void {
  useEffect(() => {
    const onStorage = ({ key }: StorageEvent) => {
      if (key === accountStorageKey || key === null)
        void queryClient.invalidateQueries({ queryKey: ['session'] })
    }
    window.addEventListener('storage', onStorage)
    return () => window.removeEventListener('storage', onStorage)
  }, [])
}

/** Tells the wrapper whether somebody is signed in. */
function useHostSession(accountId: string | undefined): void {
  useEffect(() => {
    if (accountId === undefined) return
    currentHost()?.signedIn()
    return () => currentHost()?.signedOut()
  }, [accountId])
}
