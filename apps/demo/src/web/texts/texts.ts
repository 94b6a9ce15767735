import i18next, { type ParseKeys } from 'i18next'
import type en from './en.json'
import { languageOf } from './language.ts'

declare module 'i18next' {
  interface CustomTypeOptions {
    resources: { translation: typeof en }
  }
}

const catalogues = {
  en: () => import('./en.json', { with: { type: 'json' } }),
  nb: () => import('./nb.json', { with: { type: 'json' } }),
}

/** Loads the texts of one language for `t` of i18next. Call it before the first `t`. */
export async function startTexts(language = languageOf(navigator.languages)): Promise<void> {
  const { default: translation } = await catalogues[language]()
  await i18next.init({
    lng: language,
    resources: { [language]: { translation } },
    // React escapes what it draws.
    interpolation: { escapeValue: false },
  })
  if (typeof document === 'object') document.documentElement.lang = language
}

/** What was asked for, in texts of `ERR_NOT_FOUND`. */
type Subject = 'person' | 'exercise' | 'workout' | 'link' | 'myWorkout'

/**
 * The sentence for users about a failure, by its code. The service's own messages are English, for developers.
 *
 * @param subject what was asked for, where a missing thing has a sentence of its own
 */
export function errorText(error: unknown, subject?: Subject): string {
  const { code, status }: { code?: unknown; status?: unknown } = Object(error)
  const keys = [`${code}_${subject}`, code, `HTTP_${status}`, 'other'].map(key => `errors.${key}`)
  return i18next.t(keys as ParseKeys[])
}
