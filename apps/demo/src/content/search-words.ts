/**
 * Cuts what somebody typed into the words to look for: letters and digits of any script, without accents.
 *
 * @returns at most 12 words, lower case; none when nothing can be looked for
 */
export function searchWords(text: string): string[] {
  return (foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).slice(0, 12)
}

/** Folds a text for comparison: lower case, accents dropped, any script kept. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .normalize('NFC')
}
