import { Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'wouter'
import { workoutsQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/visible.ts'
import { addressOf } from '../lists/address-of.ts'
import { countOf } from '../lists/count-of.ts'
import { EmptyDetail } from '../lists/detail-pane.tsx'
import { ResultList } from '../lists/result-list.tsx'
import { SearchPane } from '../lists/search-pane.tsx'
import { WorkoutDetail } from './workout-detail.tsx'

/** What {@link WorkoutsPage} shows. */
export interface WorkoutsPageProps {
  readonly id: number | undefined
  /** Service user id of the person in focus. */
  readonly focusedPersonId: number | undefined
}

/** Workouts: search on the left, one workout on the right. */
export function WorkoutsPage({ id, focusedPersonId }: WorkoutsPageProps) {
  const [params] = useSearchParams()
  const [, navigate] = useLocation()
  const text = params.get('text') ?? ''
  const query = useQuery({ ...workoutsQuery(text), placeholderData: keepPreviousData })
  useVisible(`workouts:${text}`, query)
  return (
    <div className="two-pane" data-has-detail={id !== undefined}>
      <SearchPane
        title="Workouts"
        label="Search workouts"
        placeholder="Name, aim or exercise"
        testId="workout-search"
        text={text}
        onSearch={next => navigate(addressOf('/workouts', id, next), { replace: true })}
        summary={query.data ? countOf(query.data.length, 'workout', 'workouts') : 'Searching'}
      >
        <ResultList
          testId="workout-results"
          itemTestId="workout-result"
          error={query.error}
          emptyText="No workout has these words. Try fewer or other ones."
          results={query.data?.map(({ id: key, name, exerciseCount, personName }) => ({
            key,
            href: addressOf('/workouts', key, text),
            isCurrent: key === id,
            content: (
              <>
                <Text fw={600} size="sm">
                  {name}
                </Text>
                <Text size="xs" c="#5a6a69">
                  {countOf(exerciseCount, 'exercise', 'exercises')}
                  {personName && ` · given to ${personName}`}
                </Text>
              </>
            ),
          }))}
        />
      </SearchPane>
      {id === undefined ? (
        <EmptyDetail text="Choose a workout to see its exercises." />
      ) : (
        <WorkoutDetail
          id={id}
          focusedPersonId={focusedPersonId}
          listHref={addressOf('/workouts', undefined, text)}
        />
      )}
    </div>
  )
}
