import { Badge, Button, Group, Stack, Tabs } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { personQuery, personsQuery } from '../api/queries.ts'
import { useVisible } from '../bridge/host.ts'
import { DetailHead, DetailPane } from '../parts/detail.tsx'
import { formatBorn, formatDay, nameOf } from '../parts/format.ts'
import { moveKeyboard } from '../parts/keyboard.ts'
import { SearchPage } from '../parts/lists.tsx'
import { dismissNotice } from '../parts/notices.tsx'
import { useSearchedList } from '../parts/pages.tsx'
import { useDrafts } from '../session/drafts.ts'
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
        badge: (
          <Stack gap={4} align="flex-end">
            <UnsavedBadge accountId={accountId} personId={person.userId} />
            {person.userId === focusedPersonId && (
              <Badge radius="sm" tt="none" style={{ flexShrink: 0 }}>
                {t('persons.inFocus')}
              </Badge>
            )}
          </Stack>
        ),
      })}
      id={id}
      detailOf={open => <PersonDetail id={open} accountId={accountId} isFocused={open === focusedPersonId} />}
    />
  )
}

/** Marks a person with unsaved changes. */
function UnsavedBadge({ accountId, personId }: { readonly accountId: string; readonly personId: number }) {
  const isUnsaved = useDrafts(accountId)[personId] !== undefined
  return (
    isUnsaved && (
      <Badge radius="sm" tt="none" color="orange" variant="light" style={{ flexShrink: 0 }}>
        {t('drafts.unsaved')}
      </Badge>
    )
  )
}

interface PersonDetailProps {
  readonly id: number
  readonly accountId: string
  readonly isFocused: boolean
}

function PersonDetail({ id, accountId, isFocused }: PersonDetailProps) {
  const query = useQuery(personQuery(id))
  const [isOpen, setOpen] = useState(false)
  // A draft opens its form again, after a lost session too.
  const isUnsaved = useDrafts(accountId)[id] !== undefined
  useEffect(() => {
    // The form stays open when the user takes each change back.
    if (isUnsaved) setOpen(true)
  }, [isUnsaved])
  const isEditing = isOpen || isUnsaved
  const edit = () => {
    dismissNotice('edit')
    setOpen(true)
    moveKeyboard('[data-testid="person-form"] input')
  }
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
              <UnsavedBadge accountId={accountId} personId={id} />
              {!isEditing && (
                <Button variant="default" data-testid="edit-person" onClick={edit}>
                  {t('persons.edit')}
                </Button>
              )}
              <Button
                aria-disabled={isFocused}
                {...(isFocused && { 'data-disabled': true })}
                data-testid="put-in-focus"
                onClick={() => isFocused || setFocus({ accountId, personId: person.userId })}
              >
                {t(isFocused ? 'persons.isFocused' : 'persons.putInFocus')}
              </Button>
            </Group>
          </DetailHead>
          {isEditing ? (
            <PersonForm accountId={accountId} person={person} onDone={() => setOpen(false)} />
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
