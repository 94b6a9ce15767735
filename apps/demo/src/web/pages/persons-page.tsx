import { Badge, Button, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { personQuery, personsQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/host.ts'
import { ageOf, formatDay, nameOf } from '../parts/format.ts'
import { addressOf, DetailPane, SearchPage } from '../parts/lists.tsx'
import { setFocus } from '../session/visit.ts'
import { PersonFacts, PersonForm, PersonWorkouts, ProfileTable } from './person-data.tsx'

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
  const [, navigate] = useLocation()
  const state = useHistoryState<{ text?: string } | null>()
  const text = state?.text ?? ''
  const query = useQuery({ ...personsQuery(text), placeholderData: keepPreviousData })
  useVisible('persons', query)
  return (
    <SearchPage
      noun="person"
      placeholder="Name, CustomId or date of birth"
      text={text}
      onSearch={next => navigate(addressOf('/persons', id, ''), { replace: true, state: { text: next } })}
      query={query}
      emptyText={
        text
          ? 'Nobody fits. Try fewer letters.'
          : 'Nobody yet. Persons come from your journal when you open them there.'
      }
      rowOf={person => ({
        id: person.userId,
        href: `/persons/${person.userId}`,
        state: { text },
        content: (
          <Group justify="space-between" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Text fw={600} size="sm">
                {nameOf(person)}
              </Text>
              <Text size="xs" c="dimmed">
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
      })}
      id={id}
      detailOf={open => <PersonDetail id={open} accountId={accountId} isFocused={open === focusedPersonId} />}
      chooseText="Choose a person to see what is known, and to put the person in focus."
    />
  )
}

function PersonDetail({
  id,
  accountId,
  isFocused,
}: {
  readonly id: number
  readonly accountId: string
  readonly isFocused: boolean
}) {
  const query = useQuery(personQuery(id))
  const person = query.data
  const [editedId, setEditedId] = useState<number>()
  useVisible(`person:${id}`, query)
  const isEditing = editedId === id
  return (
    <DetailPane listHref="/persons" noun="person" isLoading={query.isPending} error={query.error}>
      {person && (
        <Stack gap="lg" data-testid="person-detail" data-user-id={person.userId}>
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Title order={2}>{nameOf(person)}</Title>
              <Text size="sm" c="dimmed" mt={4}>
                {person.dateOfBirth
                  ? `Born ${formatDay(person.dateOfBirth)}, ${ageOf(person.dateOfBirth)} years`
                  : 'Date of birth not known'}
              </Text>
            </div>
            <Group gap="xs" wrap="nowrap">
              <Button variant="default" onClick={() => setEditedId(isEditing ? undefined : id)}>
                {isEditing ? 'Stop editing' : 'Edit'}
              </Button>
              <Button
                disabled={isFocused}
                data-testid="put-in-focus"
                onClick={() => setFocus({ accountId, personId: person.userId })}
              >
                {isFocused ? 'In focus' : 'Put in focus'}
              </Button>
            </Group>
          </Group>
          {isEditing ? (
            <PersonForm key={id} person={person} onDone={() => setEditedId(undefined)} />
          ) : (
            <Tabs key={id} defaultValue="facts" keepMounted={false}>
              <Tabs.List>
                <Tabs.Tab value="facts">About</Tabs.Tab>
                <Tabs.Tab value="profile">Profile data ({person.profileData?.length ?? 0})</Tabs.Tab>
                <Tabs.Tab value="workouts">Workouts</Tabs.Tab>
              </Tabs.List>
              <Tabs.Panel value="facts" pt="lg">
                <PersonFacts person={person} />
              </Tabs.Panel>
              <Tabs.Panel value="profile" pt="lg">
                <ProfileTable entries={person.profileData ?? []} />
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
