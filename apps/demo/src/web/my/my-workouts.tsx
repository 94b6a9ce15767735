import { Alert, Anchor, Badge, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { Link } from 'wouter'
import { answerOf, api, createQueryClient } from '../api/request.ts'
import { formatDay, formatSeconds } from '../parts/format.ts'

const { my } = api

type MySession = InferResponseType<typeof my.session.$get>

type MyWorkoutRecord = InferResponseType<(typeof my.workouts)[':id']['$get']>['workout']

/**
 * The session. The page asks again when it comes into view and shortly before the session's end, because workouts
 * must not stay on an unattended screen. After another log-in the page drops the former data.
 */
export const mySessionQuery = queryOptions({
  queryKey: ['my', 'session'],
  queryFn: async ({ client, queryKey }) => {
    const former = client.getQueryData<MySession>(queryKey)
    const session = await answerOf(my.session.$get())
    if (former && former.consumer?.logInId !== session.consumer?.logInId)
      client.removeQueries({ queryKey: ['my', 'data'] })
    return session
  },
  staleTime: 0,
  // Asks shortly before the end, which use may have moved. Without an answer the page ends the session itself.
  refetchInterval: ({ state }) => {
    const { endsInMs = 0 } = state.data?.consumer ?? {}
    return endsInMs > 2 * askBeforeEndMs && endsInMs - askBeforeEndMs
  },
  refetchIntervalInBackground: true,
})

const askBeforeEndMs = 30_000

/** Removes the consumer and the data from the page, and asks the service for the session again. */
export function endMySession(): void {
  const { queryKey } = mySessionQuery
  myQueryClient.setQueryData(queryKey, session => session && { ...session, consumer: null })
  myQueryClient.removeQueries({ queryKey: ['my', 'data'] })
  void myQueryClient.invalidateQueries({ queryKey })
}

/** Asks for the page's log-in. The service refuses to answer for another one. */
const as = (logInId: string) => ({ headers: { 'x-expected-log-in': logInId } })

const myWorkoutsQuery = (logInId: string) =>
  queryOptions({
    queryKey: ['my', 'data', logInId, 'workouts'],
    queryFn: () => answerOf(my.workouts.$get({}, as(logInId))),
    select: ({ workouts }) => workouts,
  })

const myWorkoutQuery = (logInId: string, id: number) =>
  queryOptions({
    queryKey: ['my', 'data', logInId, 'workout', id],
    queryFn: () => answerOf(my.workouts[':id'].$get({ param: { id: String(id) } }, as(logInId))),
    select: ({ workout }) => workout,
  })

/** The page's data. They are dropped at the end of the session. */
export const myQueryClient: QueryClient = createQueryClient(error => {
  if (error.code !== 'ERR_NOT_SIGNED_IN' && error.code !== 'ERR_OTHER_LOG_IN') return
  myQueryClient.removeQueries({ queryKey: ['my', 'data'] })
  void myQueryClient.invalidateQueries({ queryKey: ['my', 'session'] })
})

/** Ends the session; returns the address that ends it at the electronic ID too. */
export async function signOutOfMy(): Promise<string | null> {
  const { endSessionUrl } = await answerOf(my['sign-out'].$post({ json: {} }))
  return endSessionUrl
}

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
          <Text c="dimmed" mt="xs">
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
                <Text component="span" size="sm" c="dimmed" display="block">
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

export function MyWorkoutDetail({ logInId, id }: { readonly logInId: string; readonly id: number }) {
  const { data, error } = useQuery(myWorkoutQuery(logInId, id))
  return (
    <>
      <Anchor component={Link} href="/" size="sm" display="inline-block" mb="sm">
        Back to my workouts
      </Anchor>
      {error && !data ? (
        <Alert color="red" title="This workout cannot be shown" data-testid="my-no-workout">
          {error.message}
        </Alert>
      ) : data ? (
        <Workout workout={data} />
      ) : (
        <Stack aria-label="Loading" role="progressbar">
          <Skeleton height={32} width="60%" />
          <Skeleton height={160} radius="md" />
        </Stack>
      )}
    </>
  )
}

function Workout({ workout }: { readonly workout: MyWorkoutRecord }) {
  return (
    <article data-testid="my-workout-detail">
      <Title order={1}>{workout.name}</Title>
      <Text size="sm" c="dimmed" mt={4}>
        From {workout.givenBy}, {workout.organizationName}, {formatDay(workout.lastChangedAt)}
      </Text>
      <Text mt="md" lh={1.6}>
        {workout.description}
      </Text>
      <ol className="my-list" aria-label="Exercises, in the order in which they are done">
        {workout.exercises.map(exercise => (
          <li key={exercise.position} className="card my-exercise" data-testid="my-exercise">
            <Title order={2} size="h3">
              {exercise.position}. {exercise.name}
            </Title>
            <Group gap="xs" my="xs">
              {factsOf(exercise).map(fact => (
                <Badge size="lg" key={fact} variant="light" color="teal" radius="sm" tt="none">
                  {fact}
                </Badge>
              ))}
            </Group>
            <Text size="sm" lh={1.6}>
              {exercise.instruction}
            </Text>
          </li>
        ))}
      </ol>
    </article>
  )
}

function factsOf(exercise: MyWorkoutRecord['exercises'][number]): string[] {
  const { sets, reps, seconds, restSeconds, equipment } = exercise
  return [
    `${sets} ${sets === 1 ? 'set' : 'sets'} of ${reps === null ? formatSeconds(seconds ?? 0) : `${reps} repetitions`}`,
    ...(restSeconds === 0 ? [] : [`${formatSeconds(restSeconds)} rest`]),
    equipment === 'none' ? 'no equipment' : equipment,
  ]
}
