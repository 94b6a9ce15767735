import { Anchor, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { t } from 'i18next'
import { Link, useLocation, useSearchParams } from 'wouter'
import { type WorkoutRecord, workoutQuery, workoutsQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/host.ts'
import { formatDay, libraryLanguage, lineFacts } from '../parts/format.ts'
import { addressOf, DetailPane, SearchPage } from '../parts/lists.tsx'
import { offsetIn } from '../parts/pages.tsx'
import { Rich } from '../texts/rich.tsx'
import { GiveWorkout, TakeBack } from './give-workout.tsx'

interface WorkoutsPageProps {
  readonly id: number | undefined
  readonly focusedPersonId: number | undefined
}

export function WorkoutsPage({ id, focusedPersonId }: WorkoutsPageProps) {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const text = params.get('text') ?? ''
  const offset = offsetIn(params)
  const query = useQuery({ ...workoutsQuery(text, offset), placeholderData: keepPreviousData })
  useVisible(`workouts:${text}`, query)
  return (
    <SearchPage
      noun="workout"
      placeholder={t('workouts.placeholder')}
      text={text}
      onSearch={next => navigate(addressOf('/workouts', id, next), { replace: true })}
      query={query}
      offset={offset}
      onOffset={next => navigate(addressOf('/workouts', id, text, next))}
      emptyText={t('workouts.none')}
      rowOf={({ id, name, exerciseCount, personName }) => ({
        id,
        href: addressOf('/workouts', id, text, offset),
        content: (
          <>
            <Text fw={600} size="sm" lang={libraryLanguage()}>
              {name}
            </Text>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {t('exercises.count', { count: exerciseCount })}
              {personName && ` · ${t('workouts.givenTo', { name: personName })}`}
            </Text>
          </>
        ),
      })}
      id={id}
      detailOf={open => (
        <WorkoutDetail
          id={open}
          focusedPersonId={focusedPersonId}
          listHref={addressOf('/workouts', undefined, text, offset)}
        />
      )}
      chooseText={t('workouts.choose')}
    />
  )
}

interface WorkoutDetailProps {
  readonly id: number
  readonly focusedPersonId: number | undefined
  readonly listHref: string
}

function WorkoutDetail({ id, focusedPersonId, listHref }: WorkoutDetailProps) {
  const query = useQuery(workoutQuery(id))
  const workout = query.data
  useVisible(`workout:${id}`, query)
  return (
    <DetailPane listHref={listHref} noun="workout" isLoading={query.isPending} error={query.error}>
      {workout && (
        <Stack gap="lg" data-testid="workout-detail" data-workout-id={workout.id}>
          <div className="detail-head">
            <div>
              <Title order={2} lang={libraryLanguage()}>
                {workout.name}
              </Title>
              <Text size="sm" c="dimmed" mt={4}>
                <Origin workout={workout} />
              </Text>
            </div>
            {workout.personId !== null && <TakeBack workout={workout} />}
            {focusedPersonId !== undefined && workout.personId !== focusedPersonId && (
              <GiveWorkout key={`${id} ${focusedPersonId}`} workout={workout} personId={focusedPersonId} />
            )}
          </div>
          <Text maw="62ch" lh={1.6} lang={libraryLanguage()}>
            {workout.description}
          </Text>
          <ol className="workout-lines" aria-label={t('my.exercises')}>
            {workout.exercises.map(line => (
              <li key={line.position}>
                <Anchor
                  component={Link}
                  href={`/exercises/${line.exerciseId}`}
                  fw={550}
                  size="sm"
                  lang={libraryLanguage()}
                >
                  {line.name}
                </Anchor>
                <Text size="sm" c="dimmed">
                  {lineFacts(line).join(' · ')}
                </Text>
              </li>
            ))}
          </ol>
        </Stack>
      )}
    </DetailPane>
  )
}

function Origin({ workout }: { readonly workout: WorkoutRecord }) {
  const { personId, personName, owner, lastChangedAt } = workout
  if (personId === null) return t('workouts.fromLibrary')
  return (
    <Rich
      text="workouts.origin"
      parts={{ person: <Anchor component={Link} href={`/persons/${personId}`} size="sm" /> }}
      values={{ name: personName ?? t('persons.withoutName'), owner, date: formatDay(lastChangedAt) }}
    />
  )
}
