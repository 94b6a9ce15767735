import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { at, personQuery, type StoredPerson } from '../api/queries.ts'
import { ApiFailure, answerOf, api, isForOtherAccount } from '../api/request.ts'
import { nameOf } from '../parts/format.ts'
import { moveKeyboard } from '../parts/keyboard.ts'
import { tell } from '../parts/notices.tsx'
import type { Draft } from '../session/drafts.ts'
import { nameInNotice } from '../session/focus.ts'
import { errorText, t } from '../texts/texts.ts'

/** Whether the page shows this person, and not another one whom a command has brought. */
export const isOnPage = (userId: number) => window.location.pathname === `/persons/${userId}`

export const isChangedMeanwhile = (error: unknown) =>
  error instanceof ApiFailure && error.code === 'ERR_CHANGED_MEANWHILE'

export const tellSaved = (person: StoredPerson) =>
  tell({ subject: 'edit', tone: 'success', title: t('drafts.saved', { name: nameOfSaved(person) }) })

const nameOfSaved = (person: StoredPerson) =>
  isOnPage(person.userId) ? nameOf(person) : nameInNotice(nameOf(person))

/** Saves the changes of a form. An answer that comes after another patient is told with the name, and leaves the page alone. */
export function useSavePerson(person: StoredPerson, onSaved: () => void) {
  const client = useQueryClient()
  const { userId } = person
  const mutationKey = ['save', userId]
  // One that another mount of the form began is not over.
  const isSaving = useIsMutating({ mutationKey }) > 0
  const save = useMutation({
    mutationKey,
    mutationFn(changes: Draft) {
      const json = { ...fieldsBy(changes, 'value'), seen: fieldsBy(changes, 'seen') }
      return answerOf(api.persons[':id'].$patch({ ...at(userId), json }))
    },
    async onSuccess(answer) {
      client.setQueryData(['person', userId], answer)
      onSaved()
      tellSaved(person)
      await client.invalidateQueries({ queryKey: ['persons'] })
    },
    async onError(error) {
      if (isForOtherAccount(error)) return
      const title = t('drafts.notSaved', { name: nameOfSaved(person) })
      if (isOnPage(userId)) moveKeyboard('[data-testid="person-form"] [type="submit"]:enabled')
      else tell({ subject: 'edit', tone: 'warning', title, text: errorText(error, 'person') })
      if (!isChangedMeanwhile(error)) return
      await client.invalidateQueries({ queryKey: personQuery(userId).queryKey })
      // Not a button: an impatient second Enter chooses nothing.
      if (isOnPage(userId))
        moveKeyboard('[data-testid="person-form"] :has(> [data-testid="difference"]) [name]')
    },
  })
  return { save, isSaving }
}

/** What was shown of the changed fields, or what they are to be. */
export function fieldsBy(changes: Draft, part: 'seen' | 'value') {
  return Object.fromEntries(Object.entries(changes).map(([field, change]) => [field, change[part]]))
}
