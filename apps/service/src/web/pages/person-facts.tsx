import { Alert, Anchor, Button, Stack, Text } from '@mantine/core'
import { presentLanguage } from '@service-link/ui/page-language'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import type { PersonField } from '../../server/persons/person-row.ts'
import { personWorkoutsQuery, type StoredPerson } from '../api/queries.ts'
import { doneText, formatDay } from '../parts/format.ts'
import { identifiersOf, maskIdentity } from '../parts/identity-number.ts'
import { errorText, t } from '../texts/texts.ts'

/** Fields in the order of the page. */
export const shownFields = [
  'firstname',
  'middlename',
  'lastname',
  'dateOfBirth',
  'gender',
  'genderAsSent',
  'ssn',
  'customId',
  'diagnosis',
  'email',
  'mobile',
  'phoneHome',
  'phoneWork',
  'address',
  'zipcode',
  'location',
  'country',
  'source',
] as const satisfies readonly PersonField[]

/** What is known of a person. The source of most fields is said once, and another one beside its field. */
export function PersonFacts({ person }: { readonly person: StoredPerson }) {
  const { customId, identityNumber } = identifiersOf(person)
  const values = { ...person, customId, ssn: identityNumber }
  const facts = shownFields.flatMap(field => {
    const value = values[field]
    return value === undefined ? [] : [{ field, value, origin: originText(person.origins[field]) }]
  })
  const origins = facts.map(({ origin }) => origin)
  const common = commonest(origins)
  return (
    <>
      {origins.some(origin => origin !== t('persons.typed')) && (
        <Text size="xs" c="dimmed" mb="md" data-testid="person-origin">
          {t('persons.prefilled', { origin: common })}
        </Text>
      )}
      <dl className="facts" data-testid="person-facts">
        {facts.map(({ field, value, origin }) => (
          <div key={field}>
            <FactName>{t(`persons.fields.${field}`)}</FactName>
            <dd>{field === 'ssn' ? <IdentityNumber text={value} /> : factText(field, value)}</dd>
            {origin !== common && <FactNote>{origin}</FactNote>}
          </div>
        ))}
      </dl>
    </>
  )
}

function FactName({ children }: { readonly children: string }) {
  return (
    <Text component="dt" size="xs" c="dimmed">
      {children}
    </Text>
  )
}

function FactNote({ children }: { readonly children: string | undefined }) {
  return (
    <Text component="dd" size="xs" c="dimmed">
      {children}
    </Text>
  )
}

/** The value of a field for people. */
export function factText(field: PersonField, value: string): string {
  if (field === 'dateOfBirth') return formatDay(value)
  if (field === 'gender') return t(value === 'female' ? 'persons.female' : 'persons.male')
  return value
}

/** Who filled a field, and on which day. */
function originText(origin: { readonly from: string | null; readonly at: string } | undefined): string {
  if (!origin) return t('persons.typed')
  const { from, at } = origin
  const date = formatDay(at)
  return from === null ? t('persons.fromProgram', { date }) : t('persons.from', { from, date })
}

/** The text that is there most often; the first of several. */
function commonest(texts: readonly string[]): string | undefined {
  const countOf = (text: string) => texts.filter(other => other === text).length
  return texts.toSorted((one, other) => countOf(other) - countOf(one))[0]
}

/** An identity number with its last digits hidden until the user asks for them. */
function IdentityNumber({ text }: { readonly text: string }) {
  const [isShown, setShown] = useState(false)
  return (
    <>
      {isShown ? text : maskIdentity(text)}{' '}
      <Button
        variant="subtle"
        size="compact-xs"
        className="screen-only"
        aria-label={t(isShown ? 'persons.hideNumber' : 'persons.showNumber')}
        onClick={() => setShown(!isShown)}
      >
        {t(isShown ? 'persons.hide' : 'persons.show')}
      </Button>
    </>
  )
}

const knownMembers = new Set(['key', 'name', 'value', 'unit', 'date', 'source', 'description'])

/** Profile data as the partner sent them, including unknown members. */
export function ProfileData({ entries }: { readonly entries: NonNullable<StoredPerson['profileData']> }) {
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('persons.noProfileData')}
      </Text>
    )
  return (
    <dl className="facts" data-testid="profile-data">
      {entries.map(entry => (
        <div key={JSON.stringify(entry)}>
          <FactName>{textOf(entry.name) || textOf(entry.key) || t('persons.unnamedEntry')}</FactName>
          <dd>
            <b>{[textOf(entry.value), textOf(entry.unit)].filter(Boolean).join(' ')}</b>
          </dd>
          {[
            [momentText(textOf(entry.date)), textOf(entry.source)].filter(Boolean).join(' · '),
            ...notesOf(entry),
          ].map(note => (
            <FactNote key={note}>{note}</FactNote>
          ))}
        </div>
      ))}
    </dl>
  )
}

/** A date or a point in time in the page's language; another text as it is. */
function momentText(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d).*)?$/.exec(text) ?? []
  if (day === undefined || Number.isNaN(Date.parse(day))) return text
  return new Intl.ListFormat(presentLanguage(), { style: 'narrow', type: 'unit' }).format(
    [formatDay(day), time].filter(part => part !== undefined),
  )
}

function notesOf(entry: Readonly<Record<string, unknown>>): string[] {
  const further = Object.entries(entry)
    .filter(([name]) => !knownMembers.has(name))
    .map(([name, value]) => `${name}: ${textOf(value)}`)
  return [textOf(entry.description), ...further].filter(Boolean)
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function PersonWorkouts({ personId }: { readonly personId: number }) {
  const { data: workouts, error } = useQuery(personWorkoutsQuery(personId))
  if (error)
    return (
      <Alert color="red" title={t('persons.workoutsFailed')}>
        {errorText(error)}
      </Alert>
    )
  if (workouts?.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('persons.noWorkouts')}
      </Text>
    )
  return (
    <Stack gap="md" component="ul" className="plain-list" data-testid="person-workouts">
      {workouts?.map(workout => (
        <li key={workout.id}>
          <Anchor component={Link} href={`/workouts/${workout.id}`} fw={600}>
            {workout.name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {t('exercises.count', { count: workout.exerciseCount })} ·{' '}
            {t('workouts.givenBy', { name: workout.ownerName, date: formatDay(workout.lastChangedAt) })} ·{' '}
            {doneText(workout.doneDays)}
          </Text>
        </li>
      ))}
    </Stack>
  )
}
