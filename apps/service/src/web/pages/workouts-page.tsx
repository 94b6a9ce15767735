import { Anchor, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type WorkoutReply, workoutQuery, workoutsQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/host.ts'
import { ExerciseDrawing } from '../drawings/exercise-drawing.tsx'
import { DetailHead, DetailPane } from '../parts/detail.tsx'
import { doneText, formatDay, lineFacts } from '../parts/format.ts'
import { type Row, SearchPage } from '../parts/lists.tsx'
import { useSearchedList } from '../parts/pages.tsx'
import { t } from '../texts/texts.ts'
import { WorkoutActions } from './give-workout.tsx'
import { pageText } from './page-texts.ts'

interface WorkoutsPageProps {
  readonly id: number | undefined
  readonly focusedPersonId: number | undefined
}

export function WorkoutsPage({ id, focusedPersonId }: WorkoutsPageProps) {
  const { linkTo, ...list } = useSearchedList('/workouts')
  const query = useQuery({ ...workoutsQuery(list.text, list.offset), placeholderData: keepPreviousData })
  useVisible(`workouts:${list.text}`, query)
  const { data: open } = useQuery({ ...workoutQuery(id ?? 0), enabled: id !== undefined })
  const rowOf = ({
    id,
    name,
    exerciseCount,
    personName,
  }: Pick<WorkoutReply, 'id' | 'name' | 'exerciseCount' | 'personName'>): Row => ({
    ...linkTo(id),
    name,
    facts: [
      t('exercises.count', { count: exerciseCount }),
      personName && t('workouts.givenTo', { name: personName }),
    ]
      .filter(Boolean)
      .join(' · '),
  })
  return (
    <SearchPage
      noun="workout"
      {...list}
      query={query}
      rowOf={rowOf}
      openRow={open && rowOf(open)}
      id={id}
      detailOf={open => <WorkoutDetail id={open} focusedPersonId={focusedPersonId} />}
    />
  )
}

interface WorkoutDetailProps {
  readonly id: number
  readonly focusedPersonId: number | undefined
}

function WorkoutDetail({ id, focusedPersonId }: WorkoutDetailProps) {
  const query = useQuery(workoutQuery(id))
  useVisible(`workout:${id}`, query)
  return (
    <DetailPane listHref="/workouts" noun="workout" query={query}>
      {workout => (
        <Stack gap="lg" data-testid="workout-detail" data-workout-id={workout.id}>
          <DetailHead name={workout.name} facts={<Origin workout={workout} />}>
            <WorkoutActions workout={workout} focusedPersonId={focusedPersonId} />
          </DetailHead>
          <Text maw="62ch" lh={1.6}>
            {workout.description}
          </Text>
          <Stack component="ol" className="plain-list" aria-label={t('workouts.order')}>
            {workout.exercises.map(line => (
              <Group component="li" wrap="nowrap" key={line.position}>
                <ExerciseDrawing slug={line.slug} size={64} />
                <div>
                  {line.position}.{' '}
                  <Anchor component={Link} href={`/exercises/${line.exerciseId}`} fw={550}>
                    {line.name}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    {lineFacts(line).join(' · ')}
                  </Text>
                </div>
              </Group>
            ))}
          </Stack>
        </Stack>
      )}
    </DetailPane>
  )
}

function Origin({ workout }: { readonly workout: WorkoutReply }) {
  const { personId, personName, owner, lastChangedAt, doneDays } = workout
  if (personId === null) return pageText('workouts.fromLibrary')
  return (
    <>
      <Anchor component={Link} href={`/persons/${personId}`} size="sm">
        {t('workouts.givenTo', { name: personName ?? t('persons.withoutName') })}
      </Anchor>
      {` · ${t('workouts.givenBy', { name: owner, date: formatDay(lastChangedAt) })} · ${doneText(doneDays)}`}
    </>
  )
}
