import { MantineProvider, Text, Title } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { Employee } from './api/queries.ts'
import { queryClient } from './api/query-client.ts'
import { ExercisesPage } from './exercises/exercises-page.tsx'
import { useFocusedPersonId } from './focus/focus-store.ts'
import { PersonChooser } from './focus/person-chooser.tsx'
import { PersonsPage } from './persons/persons-page.tsx'
import type { Boot } from './session/boot.ts'
import { SessionGate } from './session/session-gate.tsx'
import { Shell } from './shell/shell.tsx'
import { theme } from './theme.ts'
import { WorkoutsPage } from './workouts/workouts-page.tsx'

/** The web app. */
export function App({ boot }: { readonly boot: Boot | undefined }) {
  return (
    <MantineProvider theme={theme} forceColorScheme="light">
      <QueryClientProvider client={queryClient}>
        <SessionGate boot={boot}>
          {employee => <SignedInApp key={employee.accountId} employee={employee} />}
        </SessionGate>
      </QueryClientProvider>
    </MantineProvider>
  )
}

const idOf = (text: string | undefined) =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined

function SignedInApp({ employee }: { readonly employee: Employee }) {
  const { accountId } = employee
  const focusedPersonId = useFocusedPersonId(accountId)
  useTitle()
  return (
    <Shell employee={employee} focusedPersonId={focusedPersonId}>
      <Switch>
        <Route path="/persons/:id?">
          {({ id }: { readonly id?: string }) => (
            <PersonsPage id={idOf(id)} accountId={accountId} focusedPersonId={focusedPersonId} />
          )}
        </Route>
        <Route path="/exercises/:id?">
          {({ id }: { readonly id?: string }) => <ExercisesPage id={idOf(id)} />}
        </Route>
        <Route path="/workouts/:id?">
          {({ id }: { readonly id?: string }) => (
            <WorkoutsPage id={idOf(id)} focusedPersonId={focusedPersonId} />
          )}
        </Route>
        <Route path="/">
          <Redirect to={focusedPersonId === undefined ? '/persons' : `/persons/${focusedPersonId}`} replace />
        </Route>
        <Route>
          <Title order={1}>There is no such page</Title>
          <Text mt="sm">
            Go to <Link href="/persons">Persons</Link>.
          </Text>
        </Route>
      </Switch>
      <PersonChooser accountId={accountId} />
    </Shell>
  )
}

/** Names the tab after the place, and never after a person: titles end up in histories. */
function useTitle(): void {
  const [path] = useLocation()
  const place = path.split('/')[1] ?? ''
  useEffect(() => {
    document.title = place ? `${place[0]?.toUpperCase()}${place.slice(1)} – Service` : 'Service'
  }, [place])
}
