import { Badge, Box, Group, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ExerciseReply, exerciseQuery, exercisesQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/host.ts'
import { ExerciseDrawing } from '../drawings/exercise-drawing.tsx'
import { DetailHead, DetailPane } from '../parts/detail.tsx'
import { equipmentText } from '../parts/format.ts'
import { type Row, SearchPage } from '../parts/lists.tsx'
import { useSearchedList } from '../parts/pages.tsx'
import { t } from '../texts/texts.ts'
import { pageText } from './page-texts.ts'

type ListedExercise = Pick<ExerciseReply, 'id' | 'slug' | 'name' | 'muscles' | 'level'>

export function ExercisesPage({ id }: { readonly id: number | undefined }) {
  const { linkTo, ...list } = useSearchedList('/exercises')
  const query = useQuery({ ...exercisesQuery(list.text, list.offset), placeholderData: keepPreviousData })
  useVisible(`exercises:${list.text}`, query)
  const { data: open } = useQuery({ ...exerciseQuery(id ?? 0), enabled: id !== undefined })
  const rowOf = ({ id, slug, name, muscles, level }: ListedExercise): Row => ({
    ...linkTo(id),
    name,
    picture: <ExerciseDrawing slug={slug} size={44} />,
    facts: muscles.join(', '),
    badge: <LevelBadge level={level} />,
  })
  return (
    <SearchPage
      noun="exercise"
      {...list}
      query={query}
      rowOf={rowOf}
      openRow={open && rowOf(open)}
      id={id}
      detailOf={open => <ExerciseDetail id={open} />}
    />
  )
}

function ExerciseDetail({ id }: { readonly id: number }) {
  const query = useQuery(exerciseQuery(id))
  useVisible(`exercise:${id}`, query)
  return (
    <DetailPane listHref="/exercises" noun="exercise" query={query}>
      {exercise => (
        <Stack gap="lg" data-testid="exercise-detail" data-exercise-id={exercise.id}>
          <DetailHead name={exercise.name} facts={equipmentText(exercise.equipment)}>
            <LevelBadge level={exercise.level} />
          </DetailHead>
          <Group gap="xs">
            {exercise.muscles.map(muscle => (
              <Badge key={muscle} variant="outline" color="teal" radius="sm" tt="none">
                {muscle}
              </Badge>
            ))}
          </Group>
          <Group align="flex-start" gap="lg">
            <ExerciseDrawing slug={exercise.slug} size={200} />
            <Box flex="1 1 18em">
              <Title order={3} mb={6}>
                {pageText('exercises.howTo')}
              </Title>
              <Text maw="62ch" lh={1.65}>
                {exercise.instruction}
              </Text>
            </Box>
          </Group>
        </Stack>
      )}
    </DetailPane>
  )
}

const colors = { easy: 'teal', medium: 'yellow', hard: 'red' } as const

const isLevel = (level: string): level is keyof typeof colors => Object.hasOwn(colors, level)

function LevelBadge({ level }: { readonly level: string }) {
  const [color, text] = isLevel(level) ? [colors[level], t(`exercises.levels.${level}`)] : ['gray', level]
  return (
    <Badge variant="light" color={color} radius="sm" tt="none" style={{ flexShrink: 0 }}>
      {text}
    </Badge>
  )
}
