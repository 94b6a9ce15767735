import { Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'wouter'
import { exercisesQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/visible.ts'
import { addressOf } from '../lists/address-of.ts'
import { countOf } from '../lists/count-of.ts'
import { EmptyDetail } from '../lists/detail-pane.tsx'
import { ResultList } from '../lists/result-list.tsx'
import { SearchPane } from '../lists/search-pane.tsx'
import { ExerciseDetail } from './exercise-detail.tsx'
import { LevelBadge } from './level-badge.tsx'

/** The exercise library: search on the left, one exercise on the right. */
export function ExercisesPage({ id }: { readonly id: number | undefined }) {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const text = params.get('text') ?? ''
  const query = useQuery({ ...exercisesQuery(text), placeholderData: keepPreviousData })
  useVisible(`exercises:${text}`, query)
  return (
    <div className="two-pane" data-has-detail={id !== undefined}>
      <SearchPane
        title="Exercises"
        label="Search exercises"
        placeholder="Name, muscle or equipment"
        testId="exercise-search"
        text={text}
        onSearch={next => navigate(addressOf('/exercises', id, next), { replace: true })}
        summary={query.data ? countOf(query.data.length, 'exercise', 'exercises') : 'Searching'}
      >
        <ResultList
          testId="exercise-results"
          itemTestId="exercise-result"
          error={query.error}
          emptyText="No exercise has these words. Try fewer or other ones."
          results={query.data?.map(({ id: key, name, muscles, level }) => ({
            key,
            href: addressOf('/exercises', key, text),
            isCurrent: key === id,
            content: (
              <Group justify="space-between" wrap="nowrap">
                <div>
                  <Text fw={600} size="sm">
                    {name}
                  </Text>
                  <Text size="xs" c="#5a6a69">
                    {muscles.join(', ')}
                  </Text>
                </div>
                <LevelBadge level={level} />
              </Group>
            ),
          }))}
        />
      </SearchPane>
      {id === undefined ? (
        <EmptyDetail text="Choose an exercise to see how it is done." />
      ) : (
        <ExerciseDetail id={id} listHref={addressOf('/exercises', undefined, text)} />
      )}
    </div>
  )
}
