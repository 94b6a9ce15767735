import { setFocus } from '../focus/focus-store.ts'
import type { Boot } from './boot.ts'
import { focusContact } from './focus-contact.ts'
import { keepPartner } from './partner.ts'
import { keepPendingVisit } from './pending-visit.ts'

/**
 * Makes this tab the visit's: nothing of what it was about before stays, whatever becomes of the visit. Somebody else may sit
 * before it now, and the person who was in focus is not theirs.
 */
export function beginVisit(boot: Boot): void {
  if (boot.kind === 'log-in') {
    setFocus(undefined)
    keepPartner(undefined)
    keepPendingVisit(boot)
    return
  }
  keepPendingVisit(undefined)
  keepPartner(boot.partner)
  focusContact(boot.contact, boot.account.id, boot.partner)
}
