import { type Language, languageOf } from '@service-link/ui/language'

/** The language that a request asks for. */
export function languageAsked({ headers }: Request): Language {
  return languageOf((headers.get('accept-language') ?? '').split(','))
}
