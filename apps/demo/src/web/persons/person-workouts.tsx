import { Alert, Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { personWorkoutsQuery } from '../api/queries.ts'
import { countOf } from '../lists/count-of.ts'
import { formatDay } from '../person-name.ts'

/** Workouts that a person was given, newest first. */
export function PersonWorkouts({ personId }: { readonly personId: number }) {
  const { data: workouts, error } = useQuery(personWorkoutsQuery(personId))
  if (error)
    return (
      <Alert color="red" title="The workouts cannot be shown">
        {error.message}
      </Alert>
    )
  if (workouts?.length === 0)
    return (
      <Text size="sm" c="#5a6a69">
        None yet. Put the person in focus and choose one under Workouts.
      </Text>
    )
  return (
    <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }} data-testid="person-workouts">
      {workouts?.map(workout => (
        <li key={workout.id}>
          <Anchor component={Link} href={`/workouts/${workout.id}`} fw={600}>
            {workout.name}
          </Anchor>
          <Text size="xs" c="#5a6a69">
            {countOf(workout.exerciseCount, 'exercise', 'exercises')} · by {workout.owner},{' '}
            {formatDay(workout.lastChangedAt)}
          </Text>
        </li>
      ))}
    </Stack>
  )
}
