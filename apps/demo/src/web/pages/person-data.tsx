import {
  Alert,
  Anchor,
  Button,
  Group,
  NativeSelect,
  SimpleGrid,
  Stack,
  Table,
  Text,
  TextInput,
} from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { t } from 'i18next'
import { Link } from 'wouter'
import type { PersonField } from '../../service/persons/person-row.ts'
import { at, personWorkoutsQuery, type StoredPerson } from '../api/queries.ts'
import { answerOf, api } from '../api/request.ts'
import { formatDay } from '../parts/format.ts'

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
          <Text component="dt" size="xs" c="dimmed">
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

const knownMembers = new Set(['key', 'name', 'value', 'unit', 'date', 'source', 'description'])

/** Profile data as the partner sent them, including unknown members. */
export function ProfileTable({ entries }: { readonly entries: NonNullable<StoredPerson['profileData']> }) {
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        The journal has sent no profile data for this person.
      </Text>
    )
  return (
    <Table.ScrollContainer minWidth={520}>
      <Table verticalSpacing="sm" data-testid="profile-data">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>What</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th>When</Table.Th>
            <Table.Th>Source</Table.Th>
            <Table.Th>Notes</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {entries.map(entry => (
            <Table.Tr key={JSON.stringify(entry)}>
              <Table.Td fw={550}>{textOf(entry.name) || textOf(entry.key)}</Table.Td>
              <Table.Td>{[textOf(entry.value), textOf(entry.unit)].filter(Boolean).join(' ')}</Table.Td>
              <Table.Td>{textOf(entry.date)}</Table.Td>
              <Table.Td>{textOf(entry.source)}</Table.Td>
              <Table.Td>{notesOf(entry)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function notesOf(entry: Readonly<Record<string, unknown>>): string {
  const further = Object.entries(entry)
    .filter(([name]) => !knownMembers.has(name))
    .map(([name, value]) => `${name}: ${textOf(value)}`)
  return [textOf(entry.description), ...further].filter(Boolean).join('; ')
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export function PersonWorkouts({ personId }: { readonly personId: number }) {
  const { data: workouts, error } = useQuery(personWorkoutsQuery(personId))
  if (error)
    return (
      <Alert color="red" title="The workouts cannot be shown">
        {error.message}
      </Alert>
    )
  if (workouts?.length === 0)
    return (
      <Text size="sm" c="dimmed">
        None yet. Put the person in focus and choose one under Workouts.
      </Text>
    )
  return (
    <Stack gap="md" component="ul" p={0} m={0} style={{ listStyle: 'none' }} data-testid="person-workouts">
      {workouts?.map(workout => (
        <li key={workout.id}>
          <Anchor component={Link} href={`/workouts/${workout.id}`} fw={600}>
            {workout.name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {t('exercises.count', { count: workout.exerciseCount })} · by {workout.owner},{' '}
            {formatDay(workout.lastChangedAt)}
          </Text>
        </li>
      ))}
    </Stack>
  )
}

export function PersonForm({
  person,
  onDone,
}: {
  readonly person: StoredPerson
  readonly onDone: () => void
}) {
  const client = useQueryClient()
  const save = useMutation({
    mutationFn: (fields: Record<string, string | null>) =>
      answerOf(api.persons[':id'].$patch({ ...at(person.userId), json: fields })),
    onSuccess: async answer => {
      client.setQueryData(['person', person.userId], answer)
      await client.invalidateQueries({ queryKey: ['persons'] })
      onDone()
    },
  })
  return (
    <form
      data-testid="person-form"
      onSubmit={event => {
        event.preventDefault()
        save.mutate(changesOf(person, new FormData(event.currentTarget)))
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {editedFields.map(field => (
          <TextInput
            key={field}
            name={field}
            type={field === 'dateOfBirth' ? 'date' : field === 'email' ? 'email' : 'text'}
            label={personFieldLabels[field]}
            defaultValue={person[field] ?? ''}
            maxLength={4096}
            autoComplete="off"
          />
        ))}
        <NativeSelect
          name="gender"
          label={personFieldLabels.gender}
          defaultValue={person.gender ?? ''}
          data={[
            { value: '', label: 'Not known' },
            { value: 'female', label: 'Female' },
            { value: 'male', label: 'Male' },
          ]}
        />
      </SimpleGrid>
      {save.error && (
        <Alert mt="md" color="red" title="Not saved">
          {save.error.message}
        </Alert>
      )}
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={onDone}>
          Cancel
        </Button>
        <Button type="submit" loading={save.isPending}>
          Save
        </Button>
      </Group>
    </form>
  )
}

/** Only the changed fields, so that later changes of others stay. */
function changesOf(person: StoredPerson, form: FormData): Record<string, string | null> {
  const changes: Record<string, string | null> = {}
  for (const field of [...editedFields, 'gender'] as const) {
    const value = String(form.get(field) ?? '').trim()
    if (value !== (person[field] ?? '')) changes[field] = value || null
  }
  return changes
}

const personFieldLabels = {
  firstname: 'First name',
  middlename: 'Middle name',
  lastname: 'Last name',
  dateOfBirth: 'Date of birth',
  gender: 'Gender',
  genderAsSent: 'Gender, as sent',
  customId: 'CustomId',
  ssn: 'National identity number',
  diagnosis: 'Diagnosis',
  email: 'E-mail',
  mobile: 'Mobile',
  phoneHome: 'Phone, home',
  phoneWork: 'Phone, work',
  address: 'Address',
  zipcode: 'Postal code',
  location: 'Place',
  country: 'Country',
  source: 'Comes from',
} as const satisfies Record<PersonField, string>

const shownFields = Object.keys(personFieldLabels) as PersonField[]

/** Text fields that an employee may change. Gender has a separate choice. */
const editedFields = [
  'firstname',
  'middlename',
  'lastname',
  'dateOfBirth',
  'customId',
  'ssn',
  'diagnosis',
  'email',
  'mobile',
  'phoneHome',
  'phoneWork',
  'address',
  'zipcode',
  'location',
  'country',
] as const satisfies readonly PersonField[]
