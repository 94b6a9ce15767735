import { presentLanguage } from '@service-link/ui/page-language'
import { readTexts } from '@service-link/ui/texts'
import en from './en.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }

/** The texts of the launcher. Words of the library and of the service stay English: they are for developers. */
export const { t } = readTexts({ en, nb }, presentLanguage)
