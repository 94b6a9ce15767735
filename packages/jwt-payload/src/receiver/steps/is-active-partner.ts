import type { IsActivePartner } from '../ports/effects.ts'
import type { PartnerDirectory } from '../ports/partners.ts'

/** Looks a partner up whose delivery has waited: it may be removed or locked out by now. */
export function isActivePartner(partners: PartnerDirectory): IsActivePartner {
  return async partnerId => (await partners.get(partnerId))?.isActive ?? false
}
