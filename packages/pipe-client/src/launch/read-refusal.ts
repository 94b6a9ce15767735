const maxSentenceLength = 2_000

/**
 * Finds the sentence with which a wrapper ended, among what it wrote to standard error: the last line that ends in a code in
 * parentheses. Other lines may be any program's words, and are not repeated.
 *
 * @returns the sentence with its code, or nothing when there is none
 */
export function readRefusal(text: string): string | undefined {
  const lines = text.split(/\r?\n/).map(line => line.replaceAll(/\p{C}/gu, ' ').trim())
  return lines.findLast(line => line.length <= maxSentenceLength && /\S \(ERR_[A-Z_]{1,60}\)$/.test(line))
}
