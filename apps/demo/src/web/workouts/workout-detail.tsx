import { Anchor, Group, Stack, Table, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import { type WorkoutRecord, workoutQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/visible.ts'
import { DetailPane } from '../lists/detail-pane.tsx'
import { formatDay } from '../person-name.ts'
import { formatSeconds } from './format-seconds.ts'
import { GiveWorkout } from './give-workout.tsx'

/** What {@link WorkoutDetail} shows. */
export interface WorkoutDetailProps {
  readonly id: number
  readonly focusedPersonId: number | undefined
  readonly listHref: string
}

/** One workout with its exercises. */
export function WorkoutDetail({ id, focusedPersonId, listHref }: WorkoutDetailProps) {
  const query = useQuery(workoutQuery(id))
  const workout = query.data
  useVisible(`workout:${id}`, query)
  return (
    <DetailPane listHref={listHref} listName="workouts" isLoading={query.isPending} error={query.error}>
      {workout && (
        <Stack gap="lg" data-testid="workout-detail" data-workout-id={workout.id}>
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <div>
              <Title order={2}>{workout.name}</Title>
              <Text size="sm" c="#5a6a69" mt={4}>
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
                    <Text size="xs" c="#5a6a69">
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
