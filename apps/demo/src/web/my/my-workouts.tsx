import { Alert, Anchor, Badge, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { t } from 'i18next'
import { Link } from 'wouter'
import { answerOf, api } from '../api/request.ts'
import { formatDay, libraryLanguage, lineFacts } from '../parts/format.ts'
import { errorText } from '../texts/texts.ts'

const { my } = api

type MyWorkoutRecord = InferResponseType<(typeof my.workouts)[':id']['$get']>['workout']

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

export function MyWorkoutList({ logInId }: { readonly logInId: string }) {
  const { data, error } = useQuery(myWorkoutsQuery(logInId))
  return (
    <>
      <Title order={1} mb="md">
        {t('my.title')}
      </Title>
      {error && !data ? (
        <Alert color="red" title={t('my.cannotShowList')}>
          {errorText(error)}
        </Alert>
      ) : !data ? (
        <Stack aria-label={t('app.loading')} role="progressbar">
          <Skeleton height={72} radius="md" />
          <Skeleton height={72} radius="md" />
        </Stack>
      ) : data.length === 0 ? (
        <section className="card my-empty" data-testid="my-empty">
          <Title order={2}>{t('my.nothing')}</Title>
          <Text c="dimmed" mt="xs">
            {t('my.nothingText')}
          </Text>
        </section>
      ) : (
        <ul className="my-list" data-testid="my-workouts">
          {data.map(workout => (
            <li key={workout.id} data-testid="my-workout">
              <Link className="card my-workout" href={`/workouts/${workout.id}`}>
                <Text component="span" fw={650} display="block" lang={libraryLanguage()}>
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

interface MyWorkoutDetailProps {
  readonly logInId: string
  readonly id: number
  /** Name of the consumer, for the printed page. */
  readonly name: string
}

export function MyWorkoutDetail({ logInId, id, name }: MyWorkoutDetailProps) {
  const { data, error } = useQuery(myWorkoutQuery(logInId, id))
  return (
    <>
      <Group className="screen-only" justify="space-between" mb="sm">
        <Anchor component={Link} href="/" size="sm">
          {t('my.back')}
        </Anchor>
        {data && (
          <Button variant="default" size="compact-sm" onClick={() => window.print()}>
            {t('my.print')}
          </Button>
        )}
      </Group>
      {error && !data ? (
        <Alert color="red" title={t('my.cannotShow')} data-testid="my-no-workout">
          {errorText(error, 'myWorkout')}
        </Alert>
      ) : data ? (
        <Workout workout={data} name={name} />
      ) : (
        <Stack aria-label={t('app.loading')} role="progressbar">
          <Skeleton height={32} width="60%" />
          <Skeleton height={160} radius="md" />
        </Stack>
      )}
    </>
  )
}

function Workout({ workout, name }: { readonly workout: MyWorkoutRecord; readonly name: string }) {
  const { givenBy, organizationName, lastChangedAt } = workout
  return (
    <article data-testid="my-workout-detail">
      <Title order={1} lang={libraryLanguage()}>
        {workout.name}
      </Title>
      {name !== '' && (
        <Text size="sm" className="print-only">
          {t('my.for', { name })}
        </Text>
      )}
      <Text size="sm" c="dimmed" mt={4}>
        {t('my.from', { name: givenBy, organization: organizationName, date: formatDay(lastChangedAt) })}
      </Text>
      <Text mt="md" lh={1.6} lang={libraryLanguage()}>
        {workout.description}
      </Text>
      <ol className="my-list" aria-label={t('my.exercises')}>
        {workout.exercises.map(exercise => (
          <li key={exercise.position} className="card my-exercise" data-testid="my-exercise">
            <Title order={2} size="h3" lang={libraryLanguage()}>
              {exercise.position}. {exercise.name}
            </Title>
            <Group gap="xs" my="xs">
              {lineFacts(exercise).map(fact => (
                <Badge size="lg" key={fact} variant="light" color="teal" radius="sm" tt="none">
                  {fact}
                </Badge>
              ))}
            </Group>
            <Text size="sm" lh={1.6} lang={libraryLanguage()}>
              {exercise.instruction}
            </Text>
          </li>
        ))}
      </ol>
    </article>
  )
}
