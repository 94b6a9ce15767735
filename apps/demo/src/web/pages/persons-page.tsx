import { Badge, Button, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { t } from 'i18next'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { personQuery, personsQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/host.ts'
import { formatBorn, formatDay, nameOf } from '../parts/format.ts'
import { DetailPane, SearchPage } from '../parts/lists.tsx'
import { draftOf } from '../session/drafts.ts'
import { setFocus } from '../session/visit.ts'
import { PersonFacts, PersonWorkouts, ProfileData } from './person-facts.tsx'
import { PersonForm } from './person-form.tsx'

interface PersonsPageProps {
  readonly id: number | undefined
  readonly accountId: string
  readonly focusedPersonId: number | undefined
}

/**
 * Persons of the organization. The search text may be a person's name, so it is in the history's state, never in the
 * address.
 */
export function PersonsPage({ id, accountId, focusedPersonId }: PersonsPageProps) {
  const [path, navigate] = useLocation()
  const { text = '', offset = 0 } = useHistoryState<{ text?: string; offset?: number } | null>() ?? {}
  const query = useQuery({ ...personsQuery(text, offset), placeholderData: keepPreviousData })
  useVisible('persons', query)
  return (
    <SearchPage
      noun="person"
      placeholder={t('persons.placeholder')}
      text={text}
      onSearch={next => navigate(path, { replace: true, state: { text: next } })}
      query={query}
      offset={offset}
      onOffset={next => navigate(path, { state: { text, offset: next } })}
      emptyText={t(text ? 'persons.noneFound' : 'persons.none')}
      rowOf={person => ({
        id: person.userId,
        href: `/persons/${person.userId}`,
        state: { text, offset },
        content: (
          <Group justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text fw={600} size="sm">
                {nameOf(person)}
              </Text>
              <Text size="xs" c="dimmed">
                {person.dateOfBirth
                  ? t('persons.born', { date: formatDay(person.dateOfBirth) })
                  : t('persons.birthUnknown')}
              </Text>
            </div>
            {person.userId === focusedPersonId && (
              <Badge radius="sm" tt="none" style={{ flexShrink: 0 }}>
                {t('persons.inFocus')}
              </Badge>
            )}
          </Group>
        ),
      })}
      id={id}
      detailOf={open => <PersonDetail id={open} accountId={accountId} isFocused={open === focusedPersonId} />}
      chooseText={t('persons.choose')}
    />
  )
}

interface PersonDetailProps {
  readonly id: number
  readonly accountId: string
  readonly isFocused: boolean
}

function PersonDetail({ id, accountId, isFocused }: PersonDetailProps) {
  const query = useQuery(personQuery(id))
  const person = query.data
  // An unsaved draft opens its form again, after a lost session too.
  const [isEditing, setEditing] = useState(() => draftOf(accountId, id) !== undefined)
  useVisible(`person:${id}`, query)
  return (
    <DetailPane listHref="/persons" noun="person" isLoading={query.isPending} error={query.error}>
      {person && (
        <Stack gap="lg" data-testid="person-detail" data-user-id={person.userId}>
          <div className="detail-head">
            <div>
              <Title order={2}>{nameOf(person)}</Title>
              <Text size="sm" c="dimmed" mt={4}>
                {person.dateOfBirth ? formatBorn(person.dateOfBirth) : t('persons.birthUnknown')}
              </Text>
            </div>
            <Group gap="xs" className="no-print">
              <Button variant="default" aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
                {t(isEditing ? 'persons.stopEditing' : 'persons.edit')}
              </Button>
              <Button
                disabled={isFocused}
                data-testid="put-in-focus"
                onClick={() => setFocus({ accountId, personId: person.userId })}
              >
                {t(isFocused ? 'persons.isFocused' : 'persons.putInFocus')}
              </Button>
            </Group>
          </div>
          {isEditing ? (
            <PersonForm accountId={accountId} person={person} onDone={() => setEditing(false)} />
          ) : (
            <Tabs defaultValue="facts" keepMounted={false}>
              <Tabs.List>
                <Tabs.Tab value="facts">{t('persons.about')}</Tabs.Tab>
                <Tabs.Tab value="profile">
                  {t('persons.profileData', { count: person.profileData?.length ?? 0 })}
                </Tabs.Tab>
                <Tabs.Tab value="workouts">{t('workouts.title')}</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="facts" pt="lg">
                <PersonFacts person={person} />
              </Tabs.Panel>
              <Tabs.Panel value="profile" pt="lg">
                <ProfileData entries={person.profileData ?? []} />
              </Tabs.Panel>
              <Tabs.Panel value="workouts" pt="lg">
                <PersonWorkouts personId={id} />
              </Tabs.Panel>
            </Tabs>
          )}
        </Stack>
      )}
    </DetailPane>
  )
}
