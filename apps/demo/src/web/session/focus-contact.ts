import { navigate } from 'wouter/use-browser-location'
import { askForChoice, setFocus } from '../focus/focus-store.ts'
import type { ContactMatch } from './boot.ts'

/** Puts the person of a partner's visit in focus and shows them, or asks which of several is meant. */
export function focusContact(contact: ContactMatch, accountId: string): void {
  if (contact.kind === 'choose') {
    askForChoice(contact.candidates.map(({ contactId }) => Number(contactId)))
    navigate('/persons', { replace: true })
    return
  }
  const personId = Number(contact.contactId)
  setFocus({ accountId, personId })
  navigate(`/persons/${personId}`, { replace: true })
}
