import { Button, Text, Title } from '@mantine/core'
import { useState } from 'react'
import * as z from 'zod/mini'
import type { PersonField } from '../../server/persons/person-row.ts'
import type { StoredPerson } from '../api/queries.ts'
import { formatDay } from '../parts/format.ts'
import { identifiersOf, maskIdentity } from '../parts/identity-number.ts'
import { keptInTab } from '../state/storage.ts'
import { t } from '../texts/texts.ts'
import { OriginMark, type Source } from './origins.tsx'

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

/** Whether the registration data are unfolded, in this tab. Without a choice they are if there is nothing else. */
const unfolded = keptInTab('service-about', z.boolean())

interface PersonFactsProps {
  readonly person: StoredPerson
  /** Whether the page has workouts or measurements to show first. */
  readonly hasWork: boolean
  readonly sources: readonly Source[]
}

/** What is known of a person; a mark beside each value says where it comes from. */
export function PersonFacts({ person, hasWork, sources }: PersonFactsProps) {
  const isUnfolded = unfolded.use() ?? !hasWork
  const { customId, identityNumber } = identifiersOf(person)
  const values = { ...person, customId, ssn: identityNumber }
  const { origins } = person
  // An identity number may have come as the CustomId.
  const originOf = (field: PersonField) => origins[field] ?? (field === 'ssn' ? origins.customId : undefined)
  const facts = shownFields.flatMap(field => {
    const value = values[field]
    return value === undefined ? [] : [{ field, value, origin: originOf(field) }]
  })
  return (
    <details
      open={isUnfolded}
      onToggle={({ currentTarget: { open } }) => open !== isUnfolded && unfolded.set(open)}
    >
      <summary>
        <Title order={3} display="inline" c="var(--text)">
          {t('persons.about')}
        </Title>
      </summary>
      <dl className="facts" data-testid="person-facts">
        {facts.map(({ field, value, origin }) => (
          <div key={field}>
            <Text component="dt" size="xs" c="dimmed">
              {t(`persons.fields.${field}`)}
            </Text>
            <dd>
              {field === 'ssn' ? <IdentityNumber text={value} /> : factText(field, value)}{' '}
              <OriginMark origin={origin} sources={sources} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}

/** The value of a field for people. */
export function factText(field: PersonField, value: string): string {
  if (field === 'dateOfBirth') return formatDay(value)
  if (field === 'gender') return t(value === 'female' ? 'persons.female' : 'persons.male')
  return value
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
