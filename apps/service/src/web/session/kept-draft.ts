import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { personQuery } from '../api/queries.ts'
import { nameOf } from '../parts/format.ts'
import { moveKeyboard } from '../parts/keyboard.ts'
import { dismissNotice, tell } from '../parts/notices.tsx'
import { t } from '../texts/texts.ts'
import { draftOf, useDrafts } from './drafts.ts'

/** Says that unsaved changes of a patient are kept while the page shows something else, with the way back. */
export function useKeptDraft(accountId: string): void {
  const [path, navigate] = useLocation()
  const [, place, openId] = path.split('/')
  const others = Object.keys(useDrafts(accountId)).filter(id => place !== 'persons' || id !== openId)
  const id = Number(others[0])
  const { data: person } = useQuery({ ...personQuery(id), enabled: others.length > 0 })
  const name = person && nameOf(person)
  const more = others.length - 1
  useEffect(() => {
    if (name === undefined) return
    tell({
      subject: 'kept',
      tone: 'warning',
      title: t(more > 0 ? 'drafts.keptMore' : 'drafts.kept', { name, more }),
      action: {
        text: t('drafts.goBack'),
        run: () => {
          navigate(`/persons/${id}`)
          moveToDraft(accountId, id)
        },
      },
    })
    return () => dismissNotice('kept')
  }, [accountId, id, name, more, navigate])
}

/** Puts the keyboard on the first changed field of a person's form. */
export function moveToDraft(accountId: string, personId: number): void {
  const [field] = Object.keys(draftOf(accountId, personId) ?? {})
  moveKeyboard(`[data-testid="person-form"][data-user-id="${personId}"] [name="${field}"]`)
}
