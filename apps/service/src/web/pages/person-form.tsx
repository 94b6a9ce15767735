import { Alert, Button, Group, NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { at, type StoredPerson } from '../api/queries.ts'
import { answerOf, api } from '../api/request.ts'
import { identifiersOf, identityDoubt } from '../parts/identity-number.ts'
import { type Draft, draftOf, keepDraft } from '../session/drafts.ts'
import { errorText, t } from '../texts/texts.ts'
import { shownFields } from './person-facts.tsx'

/** Fields that an employee may change. */
const editedFields = shownFields.filter(field => field !== 'genderAsSent' && field !== 'source')

type Fields = Record<(typeof editedFields)[number], string>

const inputTypes: Readonly<Record<string, string>> = { dateOfBirth: 'date', email: 'email' }

interface PersonFormProps {
  readonly accountId: string
  readonly person: StoredPerson
  readonly onDone: () => void
}

/** Changes a person. Unsaved changes survive a lost session. */
export function PersonForm({ accountId, person, onDone }: PersonFormProps) {
  const client = useQueryClient()
  const { userId } = person
  const [draft] = useState(() => draftOf(accountId, userId))
  const form = useForm<Fields>({
    mode: 'uncontrolled',
    initialValues: fieldsOf(person, draft),
    onValuesChange: values => {
      keepDraft(accountId, userId, changesOf(person, values))
      setDoubt(doubtOf(values))
    },
  })
  const [doubt, setDoubt] = useState(() => doubtOf(form.getInitialValues()))
  const isNumberHidden = person.customId !== undefined && identifiersOf(person).customId === undefined
  const finish = () => {
    keepDraft(accountId, userId)
    onDone()
  }
  const save = useMutation({
    mutationFn: (changes: Draft) => answerOf(api.persons[':id'].$patch({ ...at(userId), json: changes })),
    onSuccess: async answer => {
      client.setQueryData(['person', userId], answer)
      finish()
      await client.invalidateQueries({ queryKey: ['persons'] })
    },
  })
  return (
    <form
      data-testid="person-form"
      onSubmit={form.onSubmit(values => save.mutate(changesOf(person, values)))}
    >
      {draft && (
        <Text size="sm" mb="md" role="status" data-testid="draft-back">
          {t('persons.draftBack')}
        </Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {editedFields.map(field => {
          if (field === 'customId' && isNumberHidden) return null
          const props = { ...form.getInputProps(field), label: t(`persons.fields.${field}`), name: field }
          if (field === 'gender')
            return (
              <NativeSelect
                key={form.key(field)}
                {...props}
                data={[
                  { value: '', label: t('persons.genderUnknown') },
                  { value: 'female', label: t('persons.female') },
                  { value: 'male', label: t('persons.male') },
                ]}
              />
            )
          return (
            <TextInput
              key={form.key(field)}
              {...props}
              type={inputTypes[field] ?? 'text'}
              maxLength={4096}
              autoComplete="off"
              inputWrapperOrder={['label', 'input', 'description']}
              description={field === 'ssn' && doubt && t(`persons.doubts.${doubt}`)}
              descriptionProps={{ role: 'status', c: 'var(--text-warning)' }}
            />
          )
        })}
      </SimpleGrid>
      {save.error && (
        <Alert mt="md" color="red" title={t('persons.notSaved')}>
          {errorText(save.error, 'person')}
        </Alert>
      )}
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={finish}>
          {t('app.cancel')}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t('persons.save')}
        </Button>
      </Group>
    </form>
  )
}

function fieldsOf(person: StoredPerson, draft: Draft = {}): Fields {
  const values = editedFields.map(field => [field, draft[field] === undefined ? person[field] : draft[field]])
  // Every field is there.
  return Object.fromEntries(values.map(([field, value]) => [field, value ?? ''])) as Fields
}

const doubtOf = ({ ssn, dateOfBirth }: Fields) => identityDoubt(ssn, dateOfBirth)

/** Only the changed fields, so that later changes of others stay. */
function changesOf(person: StoredPerson, values: Fields): Draft {
  const changes: Record<string, string | null> = {}
  for (const field of editedFields) {
    const value = values[field].trim()
    if (value !== (person[field] ?? '')) changes[field] = value || null
  }
  return changes
}
