import { Badge, Group, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { personsQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/visible.ts'
import { addressOf } from '../lists/address-of.ts'
import { countOf } from '../lists/count-of.ts'
import { EmptyDetail } from '../lists/detail-pane.tsx'
import { ResultList } from '../lists/result-list.tsx'
import { SearchPane } from '../lists/search-pane.tsx'
import { formatDay, nameOf } from '../person-name.ts'
import { PersonDetail } from './person-detail.tsx'

/** What {@link PersonsPage} shows. */
export interface PersonsPageProps {
  readonly id: number | undefined
  readonly accountId: string
  /** Service user id of the person in focus. */
  readonly focusedPersonId: number | undefined
}

/**
 * Persons of the organization: search on the left, one person on the right. What is searched for is a person's name: it
 * is kept with the history entry, and never in the address.
 */
export function PersonsPage({ id, accountId, focusedPersonId }: PersonsPageProps) {
  const [, navigate] = useLocation()
  const state = useHistoryState<{ text?: string } | null>()
  const text = state?.text ?? ''
  const query = useQuery({ ...personsQuery(text), placeholderData: keepPreviousData })
  useVisible('persons', query)
  return (
    <div className="two-pane" data-has-detail={id !== undefined}>
      <SearchPane
        title="Persons"
        label="Search persons"
        placeholder="Name, CustomId or date of birth"
        testId="person-search"
        text={text}
        onSearch={next => navigate(addressOf('/persons', id, ''), { replace: true, state: { text: next } })}
        summary={query.data ? countOf(query.data.length, 'person', 'persons') : 'Searching'}
      >
        <ResultList
          testId="person-results"
          itemTestId="person-result"
          error={query.error}
          emptyText={
            text
              ? 'Nobody fits. Try fewer letters.'
              : 'Nobody yet. Persons come from your journal when you open them there.'
          }
          results={query.data?.map(person => ({
            key: person.userId,
            href: `/persons/${person.userId}`,
            state: { text },
            isCurrent: person.userId === id,
            content: (
              <Group justify="space-between" wrap="nowrap">
                <div style={{ minWidth: 0 }}>
                  <Text fw={600} size="sm" truncate>
                    {nameOf(person)}
                  </Text>
                  <Text size="xs" c="#5a6a69">
                    {person.dateOfBirth ? `Born ${formatDay(person.dateOfBirth)}` : 'Date of birth not known'}
                  </Text>
                </div>
                {person.userId === focusedPersonId && (
                  <Badge radius="sm" tt="none" style={{ flexShrink: 0 }}>
                    in focus
                  </Badge>
                )}
              </Group>
            ),
          }))}
        />
      </SearchPane>
      {id === undefined ? (
        <EmptyDetail text="Choose a person to see what is known, and to put the person in focus." />
      ) : (
        <PersonDetail id={id} accountId={accountId} isFocused={id === focusedPersonId} />
      )}
    </div>
  )
}
