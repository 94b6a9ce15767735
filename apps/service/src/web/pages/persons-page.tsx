import { Badge, Button, Group, Skeleton, Stack, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import {
  personQuery,
  personsQuery,
  personWorkoutsQuery,
  recentPersonsQuery,
  type StoredPerson,
} from '../api/queries.ts'
import { useVisible } from '../bridge/host.ts'
import { DetailHead, DetailPane } from '../parts/detail.tsx'
import { formatBorn, formatDay, listNameOf, nameOf } from '../parts/format.ts'
import { moveKeyboard } from '../parts/keyboard.ts'
import { type Row, SearchPage } from '../parts/lists.tsx'
import { useSearchedList } from '../parts/pages.tsx'
import { useDrafts, useRestored } from '../session/drafts.ts'
import { setFocus } from '../session/focus.ts'
import { t } from '../texts/texts.ts'
import { OriginLegend, OriginMark, sourcesOf } from './origins.tsx'
import { pageText } from './page-texts.ts'
import { PersonFacts, shownFields } from './person-facts.tsx'
import { PersonForm } from './person-form.tsx'
import { PersonMeasurements } from './person-measurements.tsx'
import { PersonWorkouts } from './person-workouts.tsx'

interface PersonsPageProps {
  readonly id: number | undefined
  readonly accountId: string
  readonly focusedPersonId: number | undefined
}

/** What a list shows of a patient. */
type ListedPerson = Parameters<typeof listNameOf>[0] & {
  readonly userId: number
  readonly dateOfBirth?: string | null | undefined
}

/** Up to so many patients are seen at once, and need no group of those worked with lately. */
const shortList = 8

/** Persons of the organization. */
export function PersonsPage({ id, accountId, focusedPersonId }: PersonsPageProps) {
  const { linkTo, ...list } = useSearchedList('/persons')
  const query = useQuery({ ...personsQuery(list.text, list.offset), placeholderData: keepPreviousData })
  useVisible('persons', query)
  const recent = useQuery(recentPersonsQuery(focusedPersonId))
  const { data: open } = useQuery({ ...personQuery(id ?? 0), enabled: id !== undefined })
  const isBeginning = list.text === '' && list.offset === 0
  const isLong = (query.data?.total ?? 0) > shortList
  const rowOf = (person: ListedPerson): Row => ({
    ...linkTo(person.userId),
    name: listNameOf(person),
    facts: person.dateOfBirth
      ? t('persons.born', { date: formatDay(person.dateOfBirth) })
      : pageText('patients.birthUnknown'),
    badge: (
      <Group gap={4}>
        <UnsavedBadge accountId={accountId} personId={person.userId} />
        {person.userId === focusedPersonId && <FocusBadge />}
      </Group>
    ),
  })
  return (
    <SearchPage
      noun="person"
      {...list}
      // Both at once, so that no row moves.
      query={{ ...query, data: recent.isPending ? undefined : query.data }}
      first={
        isBeginning && isLong
          ? { title: t('persons.lately'), rows: (recent.data ?? []).map(rowOf) }
          : undefined
      }
      openRow={open && rowOf(open)}
      {...(list.text && { emptyText: pageText('patients.noneFound') })}
      rowOf={rowOf}
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

function FocusBadge() {
  return (
    <Badge radius="sm" tt="none" style={{ flexShrink: 0 }}>
      {t('persons.inFocus')}
    </Badge>
  )
}

/** Gives way to the badge; the keyboard goes to the patient's name. */
function FocusButton({ accountId, personId }: { readonly accountId: string; readonly personId: number }) {
  const work = () => {
    setFocus({ accountId, personId })
    moveKeyboard('.pane-detail h2')
  }
  return (
    <Button data-testid="put-in-focus" onClick={work}>
      {t('persons.putInFocus')}
    </Button>
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
  const close = useCallback(() => setOpen(false), [])
  const restored = useRestored()
  // A draft opens its form again, after a lost session too.
  const isUnsaved = useDrafts(accountId)[id] !== undefined
  useEffect(() => {
    // The form stays open when the user takes each change back.
    if (isUnsaved) setOpen(true)
  }, [isUnsaved])
  const isEditing = isOpen || isUnsaved
  const edit = () => {
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
            facts={person.dateOfBirth ? formatBorn(person.dateOfBirth) : pageText('patients.birthUnknown')}
          >
            <Group gap="xs" className="screen-only">
              {isFocused && <FocusBadge />}
              <UnsavedBadge accountId={accountId} personId={id} />
              {!isEditing && (
                <Button variant="default" data-testid="edit-person" onClick={edit}>
                  {t('persons.edit')}
                </Button>
              )}
              {!isFocused && <FocusButton accountId={accountId} personId={id} />}
            </Group>
          </DetailHead>
          {isEditing ? (
            <PersonForm key={restored} accountId={accountId} person={person} onDone={close} />
          ) : (
            <PersonWork accountId={accountId} person={person} />
          )}
        </Stack>
      )}
    </DetailPane>
  )
}

/** The work comes first. All is drawn at once, so that nothing moves. */
function PersonWork({ accountId, person }: { readonly accountId: string; readonly person: StoredPerson }) {
  const { data: workouts, isPending } = useQuery(personWorkoutsQuery(person.userId))
  if (isPending) return <Skeleton height={240} role="progressbar" aria-label={t('app.loading')} />
  const { profileData = [], origins } = person
  const sources = sourcesOf(
    [...(profileData.length > 0 ? ['profileData'] : []), ...shownFields].map(name => origins[name]),
  )
  return (
    <>
      <PersonWorkouts accountId={accountId} personId={person.userId} />
      <section aria-labelledby="person-measurements">
        <Title order={3} id="person-measurements" mb="sm">
          {t('persons.profileData')} <OriginMark origin={origins.profileData} sources={sources} />
        </Title>
        <PersonMeasurements profileData={profileData} />
      </section>
      <PersonFacts
        person={person}
        hasWork={profileData.length > 0 || (workouts ?? []).length > 0}
        sources={sources}
      />
      <OriginLegend sources={sources} />
    </>
  )
}
