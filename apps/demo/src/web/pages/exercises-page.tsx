import { Badge, Group, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { t } from 'i18next'
import { useLocation, useSearchParams } from 'wouter'
import { exerciseQuery, exercisesQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/host.ts'
import { libraryLanguage } from '../parts/format.ts'
import { addressOf, DetailPane, SearchPage } from '../parts/lists.tsx'
import { offsetIn } from '../parts/pages.tsx'

export function ExercisesPage({ id }: { readonly id: number | undefined }) {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const text = params.get('text') ?? ''
  const offset = offsetIn(params)
  const query = useQuery({ ...exercisesQuery(text, offset), placeholderData: keepPreviousData })
  useVisible(`exercises:${text}`, query)
  return (
    <SearchPage
      noun="exercise"
      placeholder={t('exercises.placeholder')}
      text={text}
      onSearch={next => navigate(addressOf('/exercises', id, next), { replace: true })}
      query={query}
      offset={offset}
      onOffset={next => navigate(addressOf('/exercises', id, text, next))}
      emptyText={t('exercises.none')}
      rowOf={({ id, name, muscles, level }) => ({
        id,
        href: addressOf('/exercises', id, text, offset),
        content: (
          <Group justify="space-between" wrap="nowrap">
            <div>
              <Text fw={600} size="sm" lang={libraryLanguage()}>
                {name}
              </Text>
              <Text size="xs" c="dimmed">
                {muscles.join(', ')}
              </Text>
            </div>
            <LevelBadge level={level} />
          </Group>
        ),
      })}
      id={id}
      detailOf={open => (
        <ExerciseDetail id={open} listHref={addressOf('/exercises', undefined, text, offset)} />
      )}
      chooseText={t('exercises.choose')}
    />
  )
}

function ExerciseDetail({ id, listHref }: { readonly id: number; readonly listHref: string }) {
  const query = useQuery(exerciseQuery(id))
  const exercise = query.data
  useVisible(`exercise:${id}`, query)
  return (
    <DetailPane listHref={listHref} noun="exercise" isLoading={query.isPending} error={query.error}>
      {exercise && (
        <Stack gap="lg" data-testid="exercise-detail" data-exercise-id={exercise.id}>
          <Group justify="space-between">
            <Title order={2} lang={libraryLanguage()}>
              {exercise.name}
            </Title>
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
            <b>{t('exercises.equipment')}:</b> {exercise.equipment}
          </Text>
          <div>
            <Title order={3} mb={6}>
              {t('exercises.howTo')}
            </Title>
            <Text maw="62ch" lh={1.65} lang={libraryLanguage()}>
              {exercise.instruction}
            </Text>
          </div>
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
