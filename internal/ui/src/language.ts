export type Language = 'en' | 'nb'

/** Chooses the language for a browser's preferred languages, best first: Norwegian bokmål for each Norwegian, else English. */
export function languageOf(preferred: readonly string[]): Language {
  const known = preferred
    .map(tag => tag.trim().toLowerCase().split('-')[0])
    .find(tag => /^(?:en|nb|nn|no)$/.test(tag ?? ''))
  return known === undefined || known === 'en' ? 'en' : 'nb'
}

/** The language that a request asks for by its header `Accept-Language`. */
export function languageAsked(header: string | null = ''): Language {
  const weightOf = (range: string) => Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1)
  const ranges = (header ?? '').split(',').filter(range => weightOf(range) > 0)
  ranges.sort((one, other) => weightOf(other) - weightOf(one))
  return languageOf(ranges.map(range => range.replace(/;.*/, '')))
}
