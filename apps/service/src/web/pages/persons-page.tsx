import { Badge, Button, Group, Stack, Tabs } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { personQuery, personsQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/host.ts'
import { DetailHead, DetailPane } from '../parts/detail.tsx'
import { formatBorn, formatDay, nameOf } from '../parts/format.ts'
import { SearchPage } from '../parts/lists.tsx'
import { useSearchedList } from '../parts/pages.tsx'
import { draftOf } from '../session/drafts.ts'
import { setFocus } from '../session/visit.ts'
import { t } from '../texts/texts.ts'
import { PersonFacts, PersonWorkouts, ProfileData } from './person-facts.tsx'
import { PersonForm } from './person-form.tsx'

interface PersonsPageProps {
  readonly id: number | undefined
  readonly accountId: string
  readonly focusedPersonId: number | undefined
}

/** Persons of the organization. */
export function PersonsPage({ id, accountId, focusedPersonId }: PersonsPageProps) {
  const { linkTo, ...list } = useSearchedList('/persons')
  const query = useQuery({ ...personsQuery(list.text, list.offset), placeholderData: keepPreviousData })
  useVisible('persons', query)
  return (
    <SearchPage
      noun="person"
      {...list}
      query={query}
      {...(list.text && { emptyText: t('persons.noneFound') })}
      rowOf={person => ({
        ...linkTo(person.userId),
        name: nameOf(person),
        facts: person.dateOfBirth
          ? t('persons.born', { date: formatDay(person.dateOfBirth) })
          : t('persons.birthUnknown'),
        badge: person.userId === focusedPersonId && (
          <Badge radius="sm" tt="none" style={{ flexShrink: 0 }}>
            {t('persons.inFocus')}
          </Badge>
        ),
      })}
      id={id}
      detailOf={open => <PersonDetail id={open} accountId={accountId} isFocused={open === focusedPersonId} />}
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
  // An unsaved draft opens its form again, after a lost session too.
  const [isEditing, setEditing] = useState(() => draftOf(accountId, id) !== undefined)
  useVisible(`person:${id}`, query)
  return (
    <DetailPane listHref="/persons" noun="person" query={query}>
      {person => (
        <Stack gap="lg" data-testid="person-detail" data-user-id={person.userId}>
          <DetailHead
            name={nameOf(person)}
            facts={person.dateOfBirth ? formatBorn(person.dateOfBirth) : t('persons.birthUnknown')}
          >
            <Group gap="xs" className="screen-only">
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
          </DetailHead>
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
