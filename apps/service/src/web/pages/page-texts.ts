import { presentLanguage } from '@service-link/ui/page-language'
import { readTexts } from '@service-link/ui/texts'
import en from './en.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }

/** Texts of the pages behind a session, which load after the first ones. */
export const { t: pageText } = readTexts({ en, nb }, presentLanguage)
