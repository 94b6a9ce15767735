import { shared } from '../state/storage.ts'
import en from './en.json' with { type: 'json' }
import { type Language, languageOf } from './language.ts'
import nb from './nb.json' with { type: 'json' }

type Path<Texts, Before extends string = ''> = {
  [Name in keyof Texts & string]: Texts[Name] extends string
    ? `${Before}${Name}`
    : Path<Texts[Name], `${Before}${Name}.`>
}[keyof Texts & string]

type WithoutForm<Key> = Key extends `${infer Start}_${'zero' | 'one' | 'other'}` ? Start : Key

/** Dotted key of a text, without its form for a number. */
export type TextKey = WithoutForm<Path<typeof en>>

const catalogs: Readonly<Record<Language, ReadonlyMap<string, string>>> = {
  en: new Map(textsIn(en)),
  nb: new Map(textsIn(nb)),
}

const language = shared<Language>('en')

/** The page's language. */
export const presentLanguage = language.get

/** {@link presentLanguage} as a hook. */
export const useLanguage = language.use

/** Chooses the language of {@link t}. Call it before the first `t`. */
export function startTexts(next = languageOf(navigator.languages)): void {
  language.set(next)
  if (typeof document === 'object') document.documentElement.lang = next
}

/**
 * A text in the page's language. `{{name}}` stands for a value, and `{{name, number}}` for one in the language's
 * digits. `count` chooses the form for none, one or several.
 */
export function t(key: TextKey, values: Readonly<Record<string, string | number | undefined>> = {}): string {
  const { count } = values
  const form = count === 0 ? 'zero' : count === 1 ? 'one' : 'other'
  return (findText(`${key}_${form}`, `${key}_other`, key) ?? key).replace(
    /\{\{(\w+)(, number)?\}\}/g,
    (_mark, name: string, isNumber?: string) => {
      const value = values[name] ?? ''
      return isNumber ? Number(value).toLocaleString(language.get()) : String(value)
    },
  )
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
  const names = [`${code}_${subject}`, code, `HTTP_${status}`]
  return findText(...names.map(name => `errors.${name}`)) ?? t('errors.other')
}

/** The first text that the page's language has. */
export function findText(...keys: readonly string[]): string | undefined {
  const texts = catalogs[language.get()]
  return keys.map(key => texts.get(key)).find(text => text !== undefined)
}

/** Texts by their dotted keys. */
export function textsIn(catalog: object, path = ''): [string, string][] {
  return Object.entries(catalog).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : textsIn(value, `${path}${name}.`),
  )
}
