import './pages.css'
import { Button, Paper, Text, Title } from '@mantine/core'
import { Look } from '@service-link/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, Redirect, Route, Switch } from 'wouter'
import { recentPersonsQuery } from '../api/queries.ts'
import { idOf } from '../parts/format.ts'
import { keepScroll } from '../parts/scroll.ts'
import { PartnerMark } from '../session/partner-mark.tsx'
import { usePartner } from '../session/visit.ts'
import { t } from '../texts/texts.ts'
import { ExercisesPage } from './exercises-page.tsx'
import { pageText } from './page-texts.ts'
import { PersonsPage } from './persons-page.tsx'
import { WorkoutsPage } from './workouts-page.tsx'

interface PagesProps {
  readonly accountId: string
  readonly focusedPersonId: number | undefined
}

interface Params {
  readonly id?: string
}

/** The pages of a signed-in employee by their addresses. */
export default function Pages(props: PagesProps) {
  const { focusedPersonId } = props
  // The service learns whom the employee works with, also on other pages than the list's.
  useQuery(recentPersonsQuery(focusedPersonId))
  useEffect(keepScroll, [])
  return (
    <Look>
      <Switch>
        <Route path="/persons/:id?">{({ id }: Params) => <PersonsPage id={shownId(id)} {...props} />}</Route>
        <Route path="/exercises/:id?">{({ id }: Params) => <ExercisesPage id={shownId(id)} />}</Route>
        <Route path="/workouts/:id?">
          {({ id }: Params) => <WorkoutsPage id={shownId(id)} focusedPersonId={focusedPersonId} />}
        </Route>
        <Route path="/">
          <Redirect to={focusedPersonId === undefined ? '/persons' : `/persons/${focusedPersonId}`} replace />
        </Route>
        <Route>
          <NoPage />
        </Route>
      </Switch>
    </Look>
  )
}

const shownId = (text: string | undefined) => (text === undefined ? undefined : idOf(text))

function NoPage() {
  const partner = usePartner()
  return (
    <Paper component="section" p="lg" mih={320}>
      {partner && <PartnerMark partner={partner} size={26} />}
      <Title order={1} mt="sm">
        {t('app.noPage')}
      </Title>
      <Text mt="sm">{pageText('noPage.text')}</Text>
      <Button component={Link} href="/persons" mt="lg">
        {pageText('noPage.goToPatients')}
      </Button>
    </Paper>
  )
}
