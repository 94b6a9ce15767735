import { employeeDigestOf } from './effects/employee-digest.ts'
import type { Delivery } from './ports/delivery.ts'
import type { DeliveryPartner } from './ports/partners.ts'
import type { SessionContext } from './ports/sessions.ts'

const frameDestinations: readonly (string | null)[] = ['iframe', 'frame']

/**
 * Whether the answer is going to stand in a frame: the partner's pages may frame it, and the browser says that this is one
 * (`Sec-Fetch-Dest`, which no script can set). A browser that does not say so is answered as for a window, and so is the
 * frame of a page that may not have one, which would otherwise be given a session for its site.
 */
export function isFramed(
  { frameOrigins }: Pick<DeliveryPartner, 'frameOrigins'>,
  { headers }: Request,
): boolean {
  if (frameOrigins.length === 0 || !frameDestinations.includes(headers.get('sec-fetch-dest'))) return false
  // None with a GET, and `null` from a page that keeps its address to itself: the browser itself shows the page nowhere else.
  const origin = headers.get('origin')
  return origin === null || origin === 'null' || frameOrigins.includes(origin)
}

/** Where the session of a known employee's delivery is made. */
export async function sessionContextOf(
  { partner, employee }: Delivery,
  request: Request,
): Promise<SessionContext> {
  return {
    isFramed: isFramed(partner, request),
    partnerId: partner.id,
    linkId: await employeeDigestOf(employee),
  }
}
