export type Language = 'en' | 'nb'

/** Chooses the language for a browser's preferred languages, best first: Norwegian bokmål for each Norwegian, else English. */
export function languageOf(preferred: readonly string[]): Language {
  const known = preferred
    .map(tag => tag.trim().toLowerCase().split(/[-;]/)[0])
    .find(tag => /^(?:en|nb|nn|no)$/.test(tag ?? ''))
  return known === undefined || known === 'en' ? 'en' : 'nb'
}
