import { presentLanguage } from '@service-link/ui/page-language'
import { readTexts } from '@service-link/ui/texts'
import { DetailedError } from 'hono/client'
import en from './en.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }

/** The texts of the launcher. Words of the library and of the service stay English: they are for developers. */
export const { t } = readTexts({ en, nb }, presentLanguage)

/** The sentence of a failure: the server's, or that of a key that cannot be used. */
export function sentenceOf(error: unknown): string {
  if (error instanceof DetailedError) return String(error.detail?.data?.problem ?? t('problems.refused'))
  // What `fetch` throws without an answer.
  if (error instanceof TypeError) return t('problems.silent')
  if (error instanceof SyntaxError) return t('problems.noJson')
  return error instanceof Error ? error.message : t('problems.failed')
}
