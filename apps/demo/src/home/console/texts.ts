import { presentLanguage } from '@service-link/ui/page-language'
import { readTexts } from '@service-link/ui/texts'
import en from './en.json' with { type: 'json' }
import nb from './nb.json' with { type: 'json' }

/** The texts of the console. Names in the log, and what the command table says, stay English. */
export const { t } = readTexts({ en, nb }, presentLanguage)
