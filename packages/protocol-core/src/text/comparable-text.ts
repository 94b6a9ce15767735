import { invisible } from './text-rules.ts'

/** Signs that programs write for an apostrophe. */
const apostrophes = /[‘’‛′ʹʻʼʽˈ`´＇]/gu
/** Signs that programs write for a hyphen; a soft hyphen is invisible. */
const hyphens = /[\p{Dash_Punctuation}\u2212\u2043]/gu
const unseen = /* @__PURE__ */ new RegExp(`[${invisible}]`, 'gu')

/**
 * Folds the typographic twins of a text for comparison and search: apostrophes, hyphens, white space, and characters that nobody
 * sees. Keeps case and accents. What is stored stays as it was sent.
 */
export function foldTwins(text: string): string {
  return text
    .replaceAll(apostrophes, "'")
    .replaceAll(hyphens, '-')
    .replaceAll(unseen, '')
    .replaceAll(/\s+/gu, ' ')
}

/** Folds a name for comparison: typographic twins, case, white space and Unicode composition. Accents count. */
export function comparableName(name: string): string {
  // Lower, then upper case: `ẞ`, `ß` and `SS` become one, and so do the two small letters sigma.
  return foldTwins(name).normalize('NFKC').toLowerCase().toUpperCase().normalize('NFKC').trim()
}
