import '@mantine/core/styles.layer.css'
import './styles.css'
import { Button, Text, Title } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { t } from 'i18next'
import { StrictMode, useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import * as z from 'zod/mini'
import { type Employee, queryClient } from './api/queries.ts'
import { startHost } from './bridge/host.ts'
import { hostHandlers } from './host-handlers.ts'
import { ExercisesPage } from './pages/exercises-page.tsx'
import { PersonsPage } from './pages/persons-page.tsx'
import { WorkoutsPage } from './pages/workouts-page.tsx'
import { Look } from './parts/look.tsx'
import { PartnerMark } from './session/partner-mark.tsx'
import { SessionGate } from './session/session-gate.tsx'
import { type Boot, beginVisit, readBoot, useFocusedPersonId, usePartner } from './session/visit.ts'
import { PersonChooser } from './shell/person-bar.tsx'
import { Shell } from './shell/shell.tsx'
import { startTexts } from './texts/texts.ts'

function App({ boot }: { readonly boot: Boot | undefined }) {
  return (
    <Look>
      <QueryClientProvider client={queryClient}>
        <SessionGate boot={boot}>
          {employee => <SignedInApp key={employee.accountId} employee={employee} />}
        </SessionGate>
      </QueryClientProvider>
    </Look>
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
          <NoPage />
        </Route>
      </Switch>
      <PersonChooser accountId={accountId} />
    </Shell>
  )
}

function NoPage() {
  const partner = usePartner()
  return (
    <section className="card pane-detail">
      {partner && <PartnerMark partner={partner} size={26} />}
      <Title order={1} mt="sm">
        {t('app.noPage')}
      </Title>
      <Text mt="sm">{t('app.noPageText')}</Text>
      <Button component={Link} href="/persons" mt="lg">
        {t('app.goToPatients')}
      </Button>
    </section>
  )
}

const places = ['persons', 'exercises', 'workouts'] as const

/** Names the tab after the page, never after a person, because browsers keep titles in their history. */
function useTitle(): void {
  const [path] = useLocation()
  const place = path.split('/')[1] ?? ''
  useEffect(() => {
    const key = places.find(known => known === place)
    document.title = key ? `${t(`${key}.title`)} – ${t('app.name')}` : t('app.name')
  }, [place])
}

// The page's Content-Security-Policy allows no compiled code.
z.config({ jitless: true })

await startTexts()

const boot = readBoot()
if (boot) beginVisit(boot)
startHost(hostHandlers)

const root = document.getElementById('root')
if (!root) throw new TypeError('The page has no element for the app.')
createRoot(root).render(
  <StrictMode>
    <App boot={boot} />
  </StrictMode>,
)
