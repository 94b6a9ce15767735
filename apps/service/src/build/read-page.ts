import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Language, languageOf } from '@service-link/ui/language'

/** Name of a built page's file. */
export const pageFile = (name: string, language: Language) =>
  language === 'en' ? `${name}.html` : `${name}.${language}.html`

/**
 * Reads a built page in the reader's language.
 *
 * @param accepted the header `Accept-Language`. Default: English
 */
export function readPage(folder: string, name: string, accepted = ''): Promise<string> {
  return readFile(join(folder, pageFile(name, languageOf(accepted.split(',')))), 'utf8')
}
