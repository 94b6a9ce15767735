import type { DeliveryPartner } from './ports/partners.ts'

const frameDestinations: readonly (string | null)[] = ['iframe', 'frame']

/**
 * Whether the answer is going to stand in a frame: the partner's pages may frame it, and the browser says that this is one
 * (`Sec-Fetch-Dest`, which no script can set). A browser that does not say so is answered as for a window.
 */
export function isFramed({ frameOrigins }: Pick<DeliveryPartner, 'frameOrigins'>, request: Request): boolean {
  return frameOrigins.length > 0 && frameDestinations.includes(request.headers.get('sec-fetch-dest'))
}
