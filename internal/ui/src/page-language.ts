import { type Language, languageOf } from './language.ts'
import { shared } from './shared.ts'

const language = shared<Language>('en')

/** The page's language. */
export const presentLanguage = language.get

/** {@link presentLanguage} as a hook. */
export const useLanguage = language.use

/** Chooses the page's language. Call it before the first text is written. */
export function startTexts(next = languageOf(navigator.languages)): void {
  language.set(next)
  if (typeof document === 'object') document.documentElement.lang = next
}
