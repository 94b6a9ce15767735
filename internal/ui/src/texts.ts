import type { Language } from './language.ts'

type Path<Catalog, Before extends string = ''> = {
  [Name in keyof Catalog & string]: Catalog[Name] extends string
    ? `${Before}${Name}`
    : Path<Catalog[Name], `${Before}${Name}.`>
}[keyof Catalog & string]

type WithoutForm<Key> = Key extends `${infer Start}_${'zero' | 'one' | 'other'}` ? Start : Key

/** Dotted key of a text, without its form for a number. */
export type TextKey<Catalog> = WithoutForm<Path<Catalog>>

type Values = Readonly<Record<string, string | number | undefined>>

export interface Texts<Key extends string> {
  /**
   * A text. `{{name}}` stands for a value, and `{{name, number}}` for one in the
   * language's digits. `count` chooses the form for none, one or several.
   */
  t(key: Key, values?: Values): string
  /** The first text that there is. */
  find(...keys: readonly string[]): string | undefined
}

/**
 * Reads catalogs of the same keys.
 *
 * @param languageNow the language of the next text
 */
export function readTexts<Catalog extends object>(
  catalogs: Readonly<Record<Language, Catalog>>,
  languageNow: () => Language,
): Texts<TextKey<Catalog>> {
  const maps = { en: new Map(textsIn(catalogs.en)), nb: new Map(textsIn(catalogs.nb)) }
  const find = (...keys: readonly string[]) =>
    keys.map(key => maps[languageNow()].get(key)).find(text => text !== undefined)
  return {
    t(key, values = {}) {
      const { count } = values
      const form = count === 0 ? 'zero' : count === 1 ? 'one' : 'other'
      const text = find(`${key}_${form}`, `${key}_other`, key) ?? key
      return text.replace(/\{\{(\w+)(, number)?\}\}/g, (_mark, name: string, isNumber?: string) => {
        const value = values[name] ?? ''
        return isNumber ? Number(value).toLocaleString(languageNow()) : String(value)
      })
    },
    find,
  }
}

/** Texts by their dotted keys. */
export function textsIn(catalog: object, path = ''): [string, string][] {
  return Object.entries(catalog).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' ? [[path + name, value]] : textsIn(value, `${path}${name}.`),
  )
}
