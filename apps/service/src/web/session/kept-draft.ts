import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useLocation } from 'wouter'
import { navigate } from 'wouter/use-browser-location'
import { personQuery } from '../api/queries.ts'
import { nameOf } from '../parts/format.ts'
import { moveKeyboard } from '../parts/keyboard.ts'
import { dismissNotice, tell } from '../parts/notices.tsx'
import { t } from '../texts/texts.ts'
import { draftOf, useDraftIds } from './drafts.ts'
import { useContextEnded } from './focus.ts'

/**
 * Says that unsaved changes of a patient are kept while the page shows something else, with the way back. After the end of a context it
 * names nobody.
 */
export function useKeptDraft(accountId: string): void {
  const [path] = useLocation()
  const [, place, openId] = path.split('/')
  const others = useDraftIds(accountId).filter(id => place !== 'persons' || id !== Number(openId))
  const [id = 0] = others
  const isEnded = useContextEnded()
  const { data: person } = useQuery({ ...personQuery(id), enabled: others.length > 0 && !isEnded })
  const more = others.length - 1
  const named = person && t(more > 0 ? 'drafts.keptMore' : 'drafts.kept', { name: nameOf(person), more })
  const title = isEnded && id ? t('drafts.keptUnnamed') : named
  useEffect(() => {
    if (title === undefined) return
    tell({
      subject: 'kept',
      tone: 'warning',
      title,
      action: {
        text: t('drafts.goBack'),
        run: () => openDraft(accountId, id),
      },
    })
    return () => dismissNotice('kept')
  }, [accountId, id, title])
}

/** Opens the form of a draft, with the keyboard on its first changed field. */
export function openDraft(accountId: string, personId: number): void {
  navigate(`/persons/${personId}`)
  const [field] = Object.keys(draftOf(accountId, personId) ?? {})
  moveKeyboard(`[data-testid="person-form"][data-user-id="${personId}"] [name="${field}"]`)
}
