import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { exerciseQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/visible.ts'
import { DetailPane } from '../lists/detail-pane.tsx'
import { LevelBadge } from './level-badge.tsx'

/** One exercise. */
export function ExerciseDetail({ id, listHref }: { readonly id: number; readonly listHref: string }) {
  const query = useQuery(exerciseQuery(id))
  const exercise = query.data
  useVisible(`exercise:${id}`, query)
  return (
    <DetailPane listHref={listHref} listName="exercises" isLoading={query.isPending} error={query.error}>
      {exercise && (
        <Stack gap="lg" data-testid="exercise-detail" data-exercise-id={exercise.id}>
          <Group justify="space-between">
            <Title order={2}>{exercise.name}</Title>
            <LevelBadge level={exercise.level} />
          </Group>
          <Group gap="xs">
            {exercise.muscles.map(muscle => (
              <Badge key={muscle} variant="outline" color="teal" radius="sm" tt="none">
                {muscle}
              </Badge>
            ))}
          </Group>
          <Text size="sm">
            <b>Equipment:</b> {exercise.equipment}
          </Text>
          <div>
            <Title order={3} mb={6}>
              How it is done
            </Title>
            <Text maw="62ch" lh={1.65}>
              {exercise.instruction}
            </Text>
          </div>
        </Stack>
      )}
    </DetailPane>
  )
}
