import { Alert, Box, Button, Group, NativeSelect, SimpleGrid, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { hasName } from '../../server/persons/has-name.ts'
import type { StoredPerson } from '../api/queries.ts'
import { nameOf } from '../parts/format.ts'
import { identifiersOf, identityDoubt } from '../parts/identity-number.ts'
import { IdentityNumberInput } from '../parts/identity-number-input.tsx'
import { moveKeyboard } from '../parts/keyboard.ts'
import { dismissNotice, tell } from '../parts/notices.tsx'
import { type Draft, draftOf, keepDraft, restoreDraft, useDrafts } from '../session/drafts.ts'
import { openDraft } from '../session/kept-draft.ts'
import { errorText, t } from '../texts/texts.ts'
import { Difference } from './difference.tsx'
import { pageText } from './page-texts.ts'
import { shownFields } from './person-facts.tsx'
import { fieldsBy, isChangedMeanwhile, isOnPage, tellSaved, useSavePerson } from './use-save-person.ts'

/** Fields that an employee may change. */
const editedFields = shownFields.filter(field => field !== 'genderAsSent' && field !== 'source')

type Field = (typeof editedFields)[number]
type Fields = Record<Field, string>

const inputTypes: Readonly<Record<string, string>> = { dateOfBirth: 'date', email: 'email' }

interface PersonFormProps {
  readonly accountId: string
  readonly person: StoredPerson
  readonly onDone: () => void
}

/** Changes a person. What is typed is kept until it is saved or discarded, also when the page goes. */
export function PersonForm({ accountId, person, onDone }: PersonFormProps) {
  const { userId } = person
  const [start] = useState(() => startOf(person, draftOf(accountId, userId)))
  const [seen, setSeen] = useState(start.seen)
  const draft: Draft = useDrafts(accountId)[userId] ?? {}
  const form = useForm<Fields>({
    initialValues: start.values,
    validate: values => (hasName(values) ? {} : { firstname: t('errors.ERR_NAME_MISSING') }),
    onValuesChange: values => keepDraft(accountId, userId, changesOf(seen, values)),
  })
  const doubt = identityDoubt(form.values.ssn, form.values.dateOfBirth)
  const isNumberHidden = person.customId !== undefined && identifiersOf(person).customId === undefined
  useEffect(() => {
    if (!start.isDraft) return
    tell({ subject: 'back', tone: 'info', title: t('persons.draftBack') })
    return () => dismissNotice('back')
  }, [start])
  const finish = () => {
    keepDraft(accountId, userId)
    onDone()
    if (isOnPage(userId))
      moveKeyboard(`[data-testid="person-detail"][data-user-id="${userId}"] [data-testid="edit-person"]`)
  }
  const { save, isSaving } = useSavePerson(person, finish)
  const discard = () => {
    if (isSaving) return
    const discarded = draftOf(accountId, userId)
    finish()
    if (!discarded) return
    tell({
      subject: 'edit',
      tone: 'info',
      title: t('drafts.discarded', { name: nameOf(person) }),
      action: {
        text: t('app.undo'),
        run() {
          // An open form is drawn anew before the keyboard goes there.
          flushSync(() => restoreDraft(accountId, userId, discarded))
          openDraft(accountId, userId)
        },
      },
    })
  }
  // The save of another mount has ended, and nothing is left to be saved.
  const [wasSaving] = useState(isSaving)
  const isLeftOver = wasSaving && !isSaving && Object.keys(draft).length === 0
  useEffect(() => {
    if (isLeftOver) onDone()
  }, [isLeftOver, onDone])
  /** Whether somebody else has changed the field to another value than the user's. */
  const isDifferent = (field: Field) => {
    const { [field]: change } = draft
    const theirs = person[field] ?? ''
    return change !== undefined && theirs !== (change.seen ?? '') && theirs !== (change.value ?? '')
  }
  /** From now on the page has seen what somebody else wrote; `value` is what the user wants. */
  const settle = (field: Field, value: string) => {
    const now = { ...seen, [field]: person[field] ?? '' }
    save.reset()
    setSeen(now)
    form.setFieldValue(field, value)
    keepDraft(accountId, userId, changesOf(now, { ...form.values, [field]: value }))
    moveKeyboard(`[data-testid="person-form"] [name="${field}"]`)
  }
  return (
    <form
      data-testid="person-form"
      data-user-id={userId}
      onSubmit={form.onSubmit(
        typed => {
          const changes = changesOf(seen, typed)
          if (Object.keys(changes).length > 0) save.mutate(changes)
          else {
            finish()
            tellSaved(person)
          }
        },
        () => form.getInputNode('firstname')?.focus(),
      )}
      onKeyDown={({ key, nativeEvent }: KeyboardEvent) => {
        if (key === 'Escape' && !nativeEvent.isComposing) discard()
      }}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md">
        {editedFields.map(field => {
          if (field === 'customId' && isNumberHidden) return null
          const label = t(`persons.fields.${field}`)
          const props = { ...form.getInputProps(field), label, name: field }
          const Input = field === 'ssn' ? IdentityNumberInput : TextInput
          const theirs = person[field] ?? ''
          const change = draft[field]
          return (
            <Box key={field}>
              {field === 'gender' ? (
                <NativeSelect
                  {...props}
                  disabled={isSaving}
                  data={[
                    { value: '', label: pageText('patients.genderUnknown') },
                    { value: 'female', label: t('persons.female') },
                    { value: 'male', label: t('persons.male') },
                  ]}
                />
              ) : (
                <Input
                  {...props}
                  readOnly={isSaving}
                  type={inputTypes[field] ?? 'text'}
                  maxLength={4096}
                  autoComplete="off"
                  inputWrapperOrder={['label', 'input', 'description', 'error']}
                  description={field === 'ssn' && doubt && pageText(`doubts.${doubt}`)}
                  descriptionProps={{ role: 'status', c: 'var(--text-warning)' }}
                />
              )}
              {change && isDifferent(field) && (
                <Difference
                  field={field}
                  label={label}
                  theirs={theirs}
                  mine={change.value ?? ''}
                  onChoose={value => settle(field, value)}
                />
              )}
            </Box>
          )
        })}
      </SimpleGrid>
      {save.error && !(isChangedMeanwhile(save.error) && editedFields.some(isDifferent)) && (
        <Alert mt="md" color="red" title={pageText('patients.notSaved')}>
          {errorText(save.error, 'person')}
        </Alert>
      )}
      <Group mt="lg" justify="flex-end">
        <Button variant="default" onClick={discard}>
          {t('app.cancel')}
        </Button>
        <Button type="submit" loading={isSaving}>
          {t('persons.save')}
        </Button>
      </Group>
    </form>
  )
}

/** What the form begins with: the person as it is, and the draft over it. */
function startOf(person: StoredPerson, draft: Draft | undefined) {
  const fieldsWith = (kept: Readonly<Record<string, string | null>>) => {
    const entries = editedFields.map(field => [field, (field in kept ? kept[field] : person[field]) ?? ''])
    // Every field is there.
    return Object.fromEntries(entries) as Fields
  }
  return {
    isDraft: draft !== undefined,
    seen: fieldsWith(fieldsBy(draft ?? {}, 'seen')),
    values: fieldsWith(fieldsBy(draft ?? {}, 'value')),
  }
}

/** Only the changed fields, so that later changes of others stay. */
function changesOf(seen: Fields, values: Fields): Draft {
  const changes: Draft = {}
  for (const field of editedFields) {
    const value = values[field].trim()
    if (value !== seen[field]) changes[field] = { seen: seen[field] || null, value: value || null }
  }
  return changes
}
