import { Button, Text, Title } from '@mantine/core'
import { t } from 'i18next'
import { useEffect } from 'react'
import { Link, Redirect, Route, Switch, useLocation } from 'wouter'
import type { Employee } from '../api/queries.ts'
import { ExercisesPage } from '../pages/exercises-page.tsx'
import { PersonsPage } from '../pages/persons-page.tsx'
import { WorkoutsPage } from '../pages/workouts-page.tsx'
import { idOf } from '../parts/format.ts'
import { Look } from '../parts/look.tsx'
import { PartnerMark } from '../session/partner-mark.tsx'
import { useFocusedPersonId, usePartner } from '../session/visit.ts'
import { PersonChooser } from './person-bar.tsx'
import { Shell } from './shell.tsx'

/** The app of a signed-in employee: its pages by their addresses. */
export default function SignedInApp({ employee }: { readonly employee: Employee }) {
  const { accountId } = employee
  const focusedPersonId = useFocusedPersonId(accountId)
  useTitle()
  return (
    <Look>
      <Shell employee={employee} focusedPersonId={focusedPersonId}>
        <Switch>
          <Route path="/persons/:id?">
            {({ id }: { readonly id?: string }) => (
              <PersonsPage
                id={id === undefined ? undefined : idOf(id)}
                accountId={accountId}
                focusedPersonId={focusedPersonId}
              />
            )}
          </Route>
          <Route path="/exercises/:id?">
            {({ id }: { readonly id?: string }) => (
              <ExercisesPage id={id === undefined ? undefined : idOf(id)} />
            )}
          </Route>
          <Route path="/workouts/:id?">
            {({ id }: { readonly id?: string }) => (
              <WorkoutsPage id={id === undefined ? undefined : idOf(id)} focusedPersonId={focusedPersonId} />
            )}
          </Route>
          <Route path="/">
            <Redirect
              to={focusedPersonId === undefined ? '/persons' : `/persons/${focusedPersonId}`}
              replace
            />
          </Route>
          <Route>
            <NoPage />
          </Route>
        </Switch>
        <PersonChooser accountId={accountId} />
      </Shell>
    </Look>
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
