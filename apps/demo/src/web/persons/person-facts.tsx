import { Text } from '@mantine/core'
import type { StoredPerson } from '../api/queries.ts'
import { formatDay } from '../person-name.ts'
import { personFieldLabels, shownFields } from './person-fields.ts'

/** What is known of a person; what is not known is left out. */
export function PersonFacts({ person }: { readonly person: StoredPerson }) {
  const facts = shownFields.flatMap(field => {
    const value = person[field]
    return value === undefined ? [] : [{ field, value: field === 'dateOfBirth' ? formatDay(value) : value }]
  })
  return (
    <dl
      style={{
        margin: 0,
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fill, minmax(220px, 1fr))',
        gap: '18px 24px',
      }}
    >
      {facts.map(({ field, value }) => (
        <div key={field}>
          <Text component="dt" size="xs" c="#5a6a69">
            {personFieldLabels[field]}
          </Text>
          <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
            {value}
          </Text>
        </div>
      ))}
    </dl>
  )
}
