import { Alert, Button, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PersonField } from '../../service/persons/person-row.ts'
import type { StoredPerson } from '../api/queries.ts'
import { request } from '../api/request.ts'

/** Lets an employee change the fields of a person. */
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
      request<{ person: StoredPerson }>('PATCH', `/persons/${person.userId}`, fields),
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

/** Only what was changed, so that nothing is written over that came in meanwhile. */
function changesOf(person: StoredPerson, form: FormData): Record<string, string | null> {
  const changes: Record<string, string | null> = {}
  for (const field of [...editedFields, 'gender'] as const) {
    const value = String(form.get(field) ?? '').trim()
    if (value !== (person[field] ?? '')) changes[field] = value || null
  }
  return changes
}

/** What each field of a person is called, in the order in which people look for them. */
export const personFieldLabels = {
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

/** Every field, in that order. */
export const shownFields = Object.keys(personFieldLabels) as PersonField[]

/** Fields that an employee may change; gender has a choice of its own. */
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
