import { navigate } from 'wouter/use-browser-location'
import { askForChoice, setFocus } from '../focus/focus-store.ts'
import type { ContactMatch } from './boot.ts'
import type { Partner } from './partner.ts'

/** Where a partner's visit may begin besides at the person's own page, by the names that a registration has. */
const landingPaths: ReadonlyMap<string | undefined, string> = new Map([
  ['workouts', '/workouts'],
  ['exercises', '/exercises'],
])

/**
 * Puts the person of a partner's visit in focus and shows the partner's landing view, the person where it has none; or asks
 * which of several is meant.
 */
export function focusContact(contact: ContactMatch, accountId: string, { appearance }: Partner): void {
  if (contact.kind === 'choose') {
    askForChoice(contact.candidates.map(({ contactId }) => Number(contactId)))
    navigate('/persons', { replace: true })
    return
  }
  const personId = Number(contact.contactId)
  setFocus({ accountId, personId })
  navigate(landingPaths.get(appearance.landingView) ?? `/persons/${personId}`, { replace: true })
}
