import { Button, Group, Stack, Tabs, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { personQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/visible.ts'
import { setFocus } from '../focus/focus-store.ts'
import { DetailPane } from '../lists/detail-pane.tsx'
import { ageOf, formatDay, nameOf } from '../person-name.ts'
import { PersonFacts } from './person-facts.tsx'
import { PersonForm } from './person-form.tsx'
import { PersonWorkouts } from './person-workouts.tsx'
import { ProfileTable } from './profile-table.tsx'

/** What {@link PersonDetail} shows. */
export interface PersonDetailProps {
  readonly id: number
  readonly accountId: string
  readonly isFocused: boolean
}

/** One person: facts, profile data, workouts. */
export function PersonDetail({ id, accountId, isFocused }: PersonDetailProps) {
  const query = useQuery(personQuery(id))
  const person = query.data
  const [editedId, setEditedId] = useState<number>()
  useVisible(`person:${id}`, query)
  const isEditing = editedId === id
  return (
    <DetailPane listHref="/persons" listName="persons" isLoading={query.isPending} error={query.error}>
      {person && (
        <Stack gap="lg" data-testid="person-detail" data-user-id={person.userId}>
          <Group justify="space-between" align="flex-start" wrap="nowrap">
            <div style={{ minWidth: 0 }}>
              <Title order={2}>{nameOf(person)}</Title>
              <Text size="sm" c="#5a6a69" mt={4}>
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
