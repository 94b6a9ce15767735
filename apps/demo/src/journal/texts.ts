import { presentLanguage } from '@service-link/ui/page-language'
import { readTexts } from '@service-link/ui/texts'
import en from './en.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }

export const { t } = readTexts({ en, nb }, presentLanguage)

/** The language with the order of day and month that all of the demo has. */
export const localeNow = () => (presentLanguage() === 'en' ? 'en-GB' : 'nb')

/** A date, `YYYY-MM-DD`, in words. */
export const dayText = (date: string) =>
  new Intl.DateTimeFormat(localeNow(), { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(date))
