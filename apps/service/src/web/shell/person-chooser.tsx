import { Dialog } from '@service-link/ui/plain'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { formatDay, isolated, nameOf } from '../parts/format.ts'
import { identifiersOf, maskIdentity } from '../parts/identity-number.ts'
import { useKeyboardAfter } from '../parts/keyboard.ts'
import { tell } from '../parts/notices.tsx'
import {
  dropChoice,
  type PendingChoice,
  setFocus,
  takeLostChoice,
  usePendingChoice,
} from '../session/focus.ts'
import { meanInFrame } from '../session/journal-frame.ts'
import { keepSearch } from '../state/searches.ts'
import { t } from '../texts/texts.ts'

type Sent = PendingChoice['sent']
type Candidate = PendingChoice['candidates'][number]

/** Asks which patient is meant: one of several, or the only one, whose data contradict those sent. */
export function PersonChooser({ accountId }: { readonly accountId: string }) {
  const choice = usePendingChoice(accountId)
  useEffect(() => {
    if (takeLostChoice()) tellNobody()
  }, [])
  // A second question is a new dialog: no key that was meant for the first may answer it.
  return choice && <Question key={choice.number} {...choice} />
}

function Question({ accountId, sent, candidates }: PendingChoice) {
  const [, navigate] = useLocation()
  const keyboardAfter = useKeyboardAfter()
  const [isShown, setShown] = useState(false)
  const isOne = candidates.length === 1
  const hasNumber = [sent, ...candidates].some(person => identifiersOf(person).identityNumber !== undefined)
  const choose = (candidate: Candidate) => {
    const personId = Number(candidate.contactId)
    meanInFrame(personId)
    setFocus({ accountId, personId })
    navigate(`/persons/${personId}`)
    keyboardAfter.current = `[data-testid="person-detail"][data-user-id="${personId}"] h2`
    tellDifferences(nameOf(candidate), compare(sent, candidate), isOne)
  }
  const searchSent = () => {
    dropChoice()
    const name = [sent.firstname, sent.lastname].filter(Boolean).join(' ')
    navigate('/persons', { state: keepSearch(name) })
    keyboardAfter.current = '[data-testid="person-search"]'
  }
  return (
    <Dialog
      isOpen
      title={t('chooser.title')}
      closeLabel={t('chooser.nobody')}
      testId="person-chooser"
      onClose={chooseNobody}
    >
      <p>{t(isOne ? 'chooser.oneText' : 'chooser.severalText')}</p>
      {hasNumber && (
        <button
          type="button"
          className="button quiet-button small-button"
          data-testid="show-numbers"
          onClick={() => setShown(!isShown)}
        >
          {t(isShown ? 'persons.hideNumber' : 'persons.showNumber')}
        </button>
      )}
      {candidates.map((candidate, index) => (
        <section key={candidate.contactId} className="candidate" data-testid="person-candidate">
          <h3>
            <bdi>{nameOf(candidate)}</bdi>{' '}
            {isOne || (
              <span className="dimmed">
                {t('chooser.place', { place: index + 1, whole: candidates.length })}
              </span>
            )}
          </h3>
          <div className="compared dimmed" aria-hidden="true">
            <span />
            <span>{t('chooser.sent')}</span>
            <span>{t('chooser.known')}</span>
          </div>
          <ul className="plain-list">
            {compare(sent, candidate, isShown).map(fact => (
              <ComparedRow key={fact.field} fact={fact} />
            ))}
          </ul>
          <button
            type="button"
            className="button quiet-button"
            data-testid="choose-person"
            onClick={() => choose(candidate)}
          >
            {t('chooser.choose')}
            {isOne || <span className="visually-hidden">: {nameOf(candidate)}</span>}
          </button>
        </section>
      ))}
      <div className="row dialog-actions">
        <button
          type="button"
          className="button quiet-button"
          data-testid="another-person"
          onClick={searchSent}
        >
          {t('chooser.another')}
        </button>
        <button type="button" className="button" data-testid="choose-nobody" onClick={chooseNobody}>
          {t('chooser.nobody')}
        </button>
      </div>
    </Dialog>
  )
}

interface ComparedFact {
  readonly field: keyof ReturnType<typeof textsOf>
  readonly sent: string
  readonly known: string
  /** How the two differ; `undefined` if they do not contradict each other. */
  readonly difference: string | undefined
}

/** What was sent beside what is known of a candidate: the facts that either of them has. */
function compare(sent: Sent, candidate: Candidate, isShown = false): readonly ComparedFact[] {
  const [ofSent, ofKnown] = [textsOf(sent, isShown), textsOf(candidate, isShown)]
  return fields.flatMap(field => {
    const [one, other] = [ofSent[field], ofKnown[field]]
    if (one === undefined && other === undefined) return []
    const difference = t(one === other ? 'chooser.hiddenDiffers' : 'chooser.differs')
    return {
      field,
      sent: one ?? t('chooser.nothing'),
      known: other ?? t('chooser.nothing'),
      difference: candidate.contradictions.includes(field) ? difference : undefined,
    }
  })
}

const fields = ['firstname', 'middlename', 'lastname', 'dateOfBirth', 'ssn', 'customId'] as const

/** An identity number is masked until the user asks for it, also where a journal sends it as its ID. */
function textsOf({ dateOfBirth, customId, ssn, ...names }: Sent, isShown: boolean) {
  const { customId: plainId, identityNumber } = identifiersOf({ customId, ssn })
  const numberOf = (text: string) => (isShown ? text : maskIdentity(text))
  return {
    ...names,
    dateOfBirth: dateOfBirth && formatDay(dateOfBirth),
    ssn: identityNumber && numberOf(identityNumber),
    customId: plainId ?? (customId && numberOf(customId)),
  }
}

const sentenceOf = ({ field, sent, known }: ComparedFact) =>
  t('chooser.difference', {
    field: t(`persons.fields.${field}`),
    sent: isolated(sent),
    known: isolated(known),
  })

const hiddenSentenceOf = ({ field, sent }: ComparedFact) =>
  t('chooser.hiddenDifference', { field: t(`persons.fields.${field}`), sent: isolated(sent) })

/** Screen readers read one sentence instead of the columns. */
function ComparedRow({ fact }: { readonly fact: ComparedFact }) {
  const { field, sent, known, difference } = fact
  return (
    <li data-testid={`compared-${field}`} data-differs={difference !== undefined}>
      <p className="visually-hidden">
        {sentenceOf(fact)} {difference}
      </p>
      <div className="compared" aria-hidden="true">
        <span>{t(`persons.fields.${field}`)}</span>
        <bdi>{sent}</bdi>
        <bdi>{known}</bdi>
        {difference && <b>≠ {difference}</b>}
      </div>
    </li>
  )
}

function chooseNobody(): void {
  dropChoice()
  tellNobody()
}

const tellNobody = () =>
  tell({ subject: 'choice', tone: 'info', title: t('chooser.nobodyNow'), text: t('visit.openAgain') })

/** Says with whom the user works, and what to correct: until then the question comes at each visit. */
function tellDifferences(name: string, facts: readonly ComparedFact[], isOne: boolean): void {
  const differences = facts
    .filter(({ difference }) => difference !== undefined)
    .map(fact => (fact.sent === fact.known ? hiddenSentenceOf(fact) : sentenceOf(fact)))
  tell({
    subject: 'choice',
    tone: 'warning',
    title: t('focus.changed', { name }),
    text: t(isOne ? 'chooser.correctText' : 'chooser.correctTwins', { differences: differences.join(' ') }),
  })
}
