import { presentLanguage } from '@service-link/ui/page-language'
import { type TextKey as KeyOf, readTexts } from '@service-link/ui/texts'
import en from './en.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }

export type TextKey = KeyOf<typeof en>

/** The texts of the web apps. */
export const { t, find: findText } = readTexts({ en, nb }, presentLanguage)

/** What was asked for, in texts of `ERR_NOT_FOUND`. */
type Subject = 'person' | 'exercise' | 'workout' | 'link' | 'myWorkout'

/**
 * The sentence for users about a failure, by its code. The service's own messages are English, for developers.
 *
 * @param subject what was asked for, where a missing thing has a sentence of its own
 */
export function errorText(error: unknown, subject?: Subject): string {
  const { code, status }: { code?: unknown; status?: unknown } = Object(error)
  const names = [`${code}_${subject}`, code, `HTTP_${status}`]
  return findText(...names.map(name => `errors.${name}`)) ?? t('errors.other')
}
