import { Anchor, Button, Group, Stack, Table, Text, Title } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { t } from 'i18next'
import { Link, useLocation, useSearchParams } from 'wouter'
import { at, personQuery, type WorkoutRecord, workoutQuery, workoutsQuery } from '../api/queries.ts'
import { answerOf, api } from '../api/request.ts'
import { useVisible } from '../bridge/host.ts'
import { formatDay, formatSeconds, nameOf } from '../parts/format.ts'
import { addressOf, DetailPane, SearchPage } from '../parts/lists.tsx'
import { tell } from '../parts/notices.tsx'

interface WorkoutsPageProps {
  readonly id: number | undefined
  readonly focusedPersonId: number | undefined
}

export function WorkoutsPage({ id, focusedPersonId }: WorkoutsPageProps) {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const text = params.get('text') ?? ''
  const query = useQuery({ ...workoutsQuery(text), placeholderData: keepPreviousData })
  useVisible(`workouts:${text}`, query)
  return (
    <SearchPage
      noun="workout"
      placeholder="Name, aim or exercise"
      text={text}
      onSearch={next => navigate(addressOf('/workouts', id, next), { replace: true })}
      query={query}
      emptyText="No workout has these words. Try fewer or other ones."
      rowOf={({ id, name, exerciseCount, personName }) => ({
        id,
        href: addressOf('/workouts', id, text),
        content: (
          <>
            <Text fw={600} size="sm">
              {name}
            </Text>
            <Text size="xs" c="dimmed">
              {t('exercises.count', { count: exerciseCount })}
              {personName && ` · given to ${personName}`}
            </Text>
          </>
        ),
      })}
      id={id}
      detailOf={open => (
        <WorkoutDetail
          id={open}
          focusedPersonId={focusedPersonId}
          listHref={addressOf('/workouts', undefined, text)}
        />
      )}
      chooseText="Choose a workout to see its exercises."
    />
  )
}

function WorkoutDetail({
  id,
  focusedPersonId,
  listHref,
}: {
  readonly id: number
  readonly focusedPersonId: number | undefined
  readonly listHref: string
}) {
  const query = useQuery(workoutQuery(id))
  const workout = query.data
  useVisible(`workout:${id}`, query)
  return (
    <DetailPane listHref={listHref} noun="workout" isLoading={query.isPending} error={query.error}>
      {workout && (
        <Stack gap="lg" data-testid="workout-detail" data-workout-id={workout.id}>
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <div>
              <Title order={2}>{workout.name}</Title>
              <Text size="sm" c="dimmed" mt={4}>
                <Origin workout={workout} />
              </Text>
            </div>
            {focusedPersonId !== undefined && <GiveWorkout workout={workout} personId={focusedPersonId} />}
          </Group>
          <Text maw="62ch" lh={1.6}>
            {workout.description}
          </Text>
          <Table verticalSpacing="sm" aria-label="Exercises, in the order in which they are done">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Exercise</Table.Th>
                <Table.Th>Sets</Table.Th>
                <Table.Th>Each set</Table.Th>
                <Table.Th>Rest</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {workout.exercises.map(line => (
                <Table.Tr key={line.position}>
                  <Table.Td>
                    <Anchor component={Link} href={`/exercises/${line.exerciseId}`} fw={550} size="sm">
                      {line.name}
                    </Anchor>
                    <Text size="xs" c="dimmed">
                      {line.equipment === 'none' ? 'no equipment' : line.equipment}
                    </Text>
                  </Table.Td>
                  <Table.Td>{line.sets}</Table.Td>
                  <Table.Td>
                    {line.reps === null ? formatSeconds(line.seconds ?? 0) : `${line.reps} repetitions`}
                  </Table.Td>
                  <Table.Td>{line.restSeconds === 0 ? 'none' : formatSeconds(line.restSeconds)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Stack>
      )}
    </DetailPane>
  )
}

function Origin({ workout }: { readonly workout: WorkoutRecord }) {
  const { personId, personName, owner, lastChangedAt } = workout
  if (personId === null) return <>From the library</>
  return (
    <>
      Given to{' '}
      <Anchor component={Link} href={`/persons/${personId}`} size="sm">
        {personName ?? 'a person without a name'}
      </Anchor>{' '}
      by {owner} on {formatDay(lastChangedAt)}
    </>
  )
}

interface GiveWorkoutProps {
  readonly workout: WorkoutRecord
  readonly personId: number
}

function GiveWorkout({ workout, personId }: GiveWorkoutProps) {
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const { data: person } = useQuery(personQuery(personId))
  const name = person ? nameOf(person) : 'the person in focus'
  const give = useMutation({
    mutationFn: () => answerOf(api.workouts[':id'].give.$post({ ...at(workout.id), json: { personId } })),
    onSuccess: async ({ workout: given }) => {
      await client.invalidateQueries({ queryKey: ['person-workouts', personId] })
      tell({
        subject: 'workout',
        tone: 'success',
        title: `Given to ${name}`,
        text: `${given.name} is now their own.`,
      })
      navigate(`/workouts/${given.id}`)
    },
    onError: error => tell({ subject: 'workout', tone: 'warning', title: 'Not given', text: error.message }),
  })
  if (workout.personId === personId) return null
  return (
    <Button
      data-testid="give-workout"
      onClick={() => give.mutate()}
      loading={give.isPending}
      style={{ flexShrink: 0 }}
    >
      Give to {name}
    </Button>
  )
}
