import { Alert, Anchor, Button, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { personWorkoutsQuery } from '../api/queries.ts'
import { doneText, formatDay } from '../parts/format.ts'
import { setFocus } from '../session/focus.ts'
import { errorText, t } from '../texts/texts.ts'
import { pageText } from './page-texts.ts'

/** How many workouts are shown before the others are asked for. */
const shownWorkouts = 5

interface PersonWorkoutsProps {
  readonly accountId: string
  readonly personId: number
}

/** The workouts that a patient has, the newest first, and the way to another. */
export function PersonWorkouts({ accountId, personId }: PersonWorkoutsProps) {
  const { data: workouts = [], error } = useQuery(personWorkoutsQuery(personId))
  const row = (workout: (typeof workouts)[number]) => (
    <li key={workout.id}>
      <Anchor component={Link} href={`/workouts/${workout.id}`} fw={600} className="block-link">
        {workout.name}
      </Anchor>
      <Text size="xs" c="dimmed">
        {t('exercises.count', { count: workout.exerciseCount })} ·{' '}
        {t('workouts.givenBy', { name: workout.ownerName, date: formatDay(workout.lastChangedAt) })} ·{' '}
        {doneText(workout.doneDays)}
      </Text>
    </li>
  )
  const [shown, older] = [workouts.slice(0, shownWorkouts), workouts.slice(shownWorkouts)]
  return (
    <section aria-labelledby="person-workouts">
      <Group justify="space-between" mb="sm">
        <Title order={3} id="person-workouts">
          {t('workouts.title')}
        </Title>
        <Button
          component={Link}
          href="/workouts"
          className="screen-only"
          data-testid="choose-workout"
          onClick={() => setFocus({ accountId, personId })}
        >
          {t('persons.giveWorkout')}
        </Button>
      </Group>
      {error && (
        <Alert color="red" title={pageText('workouts.failed')}>
          {errorText(error)}
        </Alert>
      )}
      {!error && shown.length === 0 && (
        <Text size="sm" c="dimmed">
          {pageText('workouts.none')}
        </Text>
      )}
      {shown.length > 0 && (
        <Stack gap="md" component="ul" className="plain-list" data-testid="person-workouts">
          {shown.map(row)}
        </Stack>
      )}
      {older.length > 0 && (
        <details>
          <summary>{pageText('workouts.older', { count: older.length })}</summary>
          <Stack gap="md" component="ul" className="plain-list">
            {older.map(row)}
          </Stack>
        </details>
      )}
    </section>
  )
}
