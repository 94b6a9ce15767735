import { isWebAddress } from './web-address.ts'

/** A navigation that a page begins in its own window. */
export interface PageNavigation {
  readonly url: string
  /** Whether a link was followed; scripts, forms and redirects are none. */
  readonly isLink: boolean
  /** Whether the page is one of an allowed origin. */
  readonly isFromApp: boolean
}

/**
 * The one rule of what leaves the window for the user's own browser: links of the web app to other origins. Its scripts, forms
 * and redirects stay in the window wherever they lead, since a sign-in at an identity provider goes that way, and so do the
 * links that a sign-in's pages have to each other.
 */
export function leadsOutside(
  { url, isLink, isFromApp }: PageNavigation,
  allowedOrigins: readonly string[],
): boolean {
  return isLink && isFromApp && isWebAddress(url) && !allowedOrigins.includes(new URL(url).origin)
}
