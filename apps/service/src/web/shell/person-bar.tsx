import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { personQuery, type StoredPerson } from '../api/queries.ts'
import { currentHost, useVisible } from '../bridge/host.ts'
import { formatBorn, nameOf, shortId } from '../parts/format.ts'
import { identifiersOf } from '../parts/identity-number.ts'
import { moveKeyboard } from '../parts/keyboard.ts'
import { dismissNotice, isTold, tell } from '../parts/notices.tsx'
import { draftOf } from '../session/drafts.ts'
import { setFocus, useContextEnded } from '../session/focus.ts'
import { useShownInFrame } from '../session/journal-frame.ts'
import { takeArrival } from '../session/visit.ts'
import { errorText, t } from '../texts/texts.ts'

interface PersonBarProps {
  readonly accountId: string
  readonly personId: number | undefined
}

/** The bar with the patient in focus. A notice tells a change. */
export function PersonBar({ accountId, personId }: PersonBarProps) {
  // The next employee must not read a name.
  useEffect(() => () => dismissNotice('choice', 'edit', 'focus', 'focus-cleared', 'workout'), [])
  useFocusNotice({ accountId, personId })
  const isEnded = useContextEnded()
  const isNobody = personId === undefined
  useVisible('focus:nobody', { status: isNobody ? 'success' : 'pending', error: null })
  useEffect(() => {
    if (isNobody) currentHost()?.personCleared(isEnded ? 'journal' : undefined)
  }, [isNobody, isEnded])
  return (
    <section className="row focus-bar" aria-label={t('focus.title')} data-is-empty={personId === undefined}>
      {personId === undefined ? (
        <p className="focus-name">{t('focus.nobody')}</p>
      ) : (
        <FocusedPerson accountId={accountId} personId={personId} />
      )}
    </section>
  )
}

function FocusedPerson({ accountId, personId }: { readonly accountId: string; readonly personId: number }) {
  const query = useQuery(personQuery(personId))
  const person = query.data
  useVisible(`focus:${personId}:${person?.customId ?? ''}`, query)
  useVisible(`focus:${personId}`, query)
  useEffect(() => {
    if (!person) return
    const { userId, customId, firstname, lastname } = person
    currentHost()?.personSelected({ userId, customId, firstname, lastname })
  }, [person])
  useShownInFrame(query.error ? undefined : person?.userId)
  const clear = () => {
    setFocus(undefined)
    moveKeyboard('#content')
    if (!person) return
    tell({
      subject: 'focus-cleared',
      tone: 'info',
      title: t('focus.cleared', { name: nameOf(person) }),
      action: { text: t('app.undo'), run: () => setFocus({ accountId, personId }) },
    })
  }
  const clearButton = (
    <button
      type="button"
      className="button small-button bar-button"
      aria-label={person && t('focus.clearOne', { name: nameOf(person) })}
      onClick={clear}
    >
      {t('focus.clear')}
    </button>
  )
  if (query.error)
    return (
      <>
        <p className="focus-name">{t('focus.failed', { reason: errorText(query.error, 'person') })}</p>
        {clearButton}
      </>
    )
  if (!person) return null
  const { customId } = identifiersOf(person)
  return (
    <>
      <p>{t('focus.with')}</p>
      <p
        className="focus-name"
        title={nameOf(person)}
        data-testid="person-in-focus"
        data-user-id={person.userId}
        data-custom-id={person.customId ?? ''}
      >
        <b>{nameOf(person)}</b>
      </p>
      {person.dateOfBirth && <p className="focus-fact">{formatBorn(person.dateOfBirth)}</p>}
      {customId && (
        <p className="focus-fact" title={customId}>
          {t('focus.customId', { id: shortId(customId) })}
        </p>
      )}
      <div className="row focus-actions">
        <Link
          href={`/persons/${person.userId}`}
          className="button small-button white-button"
          aria-label={t('focus.openOne', { name: nameOf(person) })}
        >
          {t('focus.open')}
        </Link>
        {clearButton}
      </div>
    </>
  )
}

/** Says when the focus changes, so that nobody works on the wrong person. */
function useFocusNotice({ accountId, personId }: PersonBarProps): void {
  const { data: person } = useQuery({ ...personQuery(personId ?? 0), enabled: personId !== undefined })
  const toldId = useRef(personId)
  const before = useRef<StoredPerson>(undefined)
  useEffect(() => {
    if (personId === undefined) {
      toldId.current = undefined
      dismissNotice('focus')
    }
    if (!person || person.userId !== personId) return
    const former = before.current
    const isOther = former && former.userId !== personId && !draftOf(accountId, former.userId)
    before.current = person
    // A reload tells nothing, a visit does.
    if (!takeArrival() && toldId.current === personId) return
    toldId.current = personId
    dismissNotice('focus-cleared', 'workout')
    // The answer to the chooser tells it, too.
    if (isTold('choice')) return
    tell({
      subject: 'focus',
      tone: 'info',
      title: t('focus.changed', { name: nameOf(person) }),
      // Of a patient with unsaved changes another notice tells.
      ...(isOther && { text: t('focus.before', { name: nameOf(former) }) }),
    })
  }, [accountId, personId, person])
}
