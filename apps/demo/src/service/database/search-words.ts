/**
 * Cuts what somebody typed into the words to look for: letters and digits of any script, without accents.
 *
 * @returns at most 12 words, lower case; none when nothing can be looked for
 */
export function searchWords(text: string): string[] {
  return allWords(text).slice(0, 12)
}

/** Longest word that is told apart, in characters: an index has a limit of its own, and nobody types so many. */
const maxWordLength = 64

/** Cuts a text into the words by which it is found: as {@link searchWords}, and all of them. */
export function allWords(text: string): string[] {
  const words = foldText(text).match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return words.map(word => Array.from(word).slice(0, maxWordLength).join(''))
}

/** Folds a text for comparison: lower case, accents dropped, any script kept. */
export function foldText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .normalize('NFC')
}
