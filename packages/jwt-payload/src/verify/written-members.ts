/**
 * Counts the members of all objects in a JSON text, as they are written. A parser keeps one of two members of the same name,
 * and not every parser the same one: where it kept fewer than were written, two readers could read two things.
 *
 * @param json text that was parsed already: it is JSON
 */
export function countWrittenMembers(json: string): number {
  let count = 0
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index)
    // Each member has one colon outside of strings.
    if (code === 0x3a) count++
    else if (code === 0x22) index = endOfString(json, index)
  }
  return count
}

function endOfString(json: string, start: number): number {
  let end = json.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end < 0 ? json.length : end
}

/** After an odd number of backslashes. */
function isEscaped(json: string, index: number): boolean {
  let backslashes = 0
  while (json.charCodeAt(index - 1 - backslashes) === 0x5c) backslashes++
  return backslashes % 2 === 1
}
