import { presentLanguage } from '@service-link/ui/page-language'
import { readTexts } from '@service-link/ui/texts'
import en from './en.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }

/** Texts of the patients' own pages alone. */
export const { t: myText, find: findMyText } = readTexts({ en, nb }, presentLanguage)
