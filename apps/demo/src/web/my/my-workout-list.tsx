import { Alert, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { formatDay } from '../person-name.ts'
import { myWorkoutsQuery } from './my-queries.ts'

/** Every workout that the person was given, newest first. */
export function MyWorkoutList({ logInId }: { readonly logInId: string }) {
  const { data, error } = useQuery(myWorkoutsQuery(logInId))
  return (
    <>
      <Title order={1} mb="md">
        My workouts
      </Title>
      {error && !data ? (
        <Alert color="red" title="Your workouts cannot be shown">
          {error.message}
        </Alert>
      ) : !data ? (
        <Stack aria-label="Loading" role="progressbar">
          <Skeleton height={72} radius="md" />
          <Skeleton height={72} radius="md" />
        </Stack>
      ) : data.length === 0 ? (
        <section className="card my-empty" data-testid="my-empty">
          <Title order={2}>Nothing here yet</Title>
          <Text c="#4b5b5a" mt="xs">
            No clinic has given you a workout under your national identity number. If you were promised one,
            ask the clinic whether it has your number right.
          </Text>
        </section>
      ) : (
        <ul className="my-list" data-testid="my-workouts">
          {data.map(workout => (
            <li key={workout.id} data-testid="my-workout">
              <Link className="card my-workout" href={`/workouts/${workout.id}`}>
                <Text component="span" fw={650} display="block">
                  {workout.name}
                </Text>
                <Text component="span" size="sm" c="#4b5b5a" display="block">
                  {workout.organizationName} · {formatDay(workout.lastChangedAt)}
                </Text>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
