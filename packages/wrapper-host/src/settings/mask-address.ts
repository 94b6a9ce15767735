/**
 * Leaves out of an address what may hold credentials: user info, query and fragment. Anything else stays as it is, also what
 * is no address.
 *
 * @param text addresses and other words, with blanks between them
 * @returns the text, with `https://…@app.example/start?…` for `https://ola:secret@app.example/start?key=secret`
 */
export function maskAddress(text: string): string {
  return text.replaceAll(/(?<!\S)([a-z][a-z\d+.-]*:)(\S*)/gi, (_address, scheme: string, rest: string) => {
    const [, beforeQuery = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(rest) ?? []
    // Browsers take both slashes for the same, in any number.
    const place = beforeQuery.replace(/^([/\\]*)[^/\\]*@/, '$1…@')
    return `${scheme}${place}${query.length > 1 ? '?…' : query}${fragment.length > 1 ? '#…' : fragment}`
  })
}
