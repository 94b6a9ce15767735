import type { Language } from '@service-link/ui/language'
import type { Page } from '../http/api.ts'
import exercises from './exercises.json' with { type: 'json' }
import words from './words.json' with { type: 'json' }
import workouts from './workouts.json' with { type: 'json' }

/** The library's English texts and words, each with the Norwegian one. */
export const norwegianTexts: readonly (readonly [english: string, norwegian: string])[] = [
  ...exercises.flatMap(({ name, instruction, nb }) => [
    [name, nb.name] as const,
    [instruction, nb.instruction] as const,
  ]),
  ...workouts.flatMap(({ name, description, nb }) => [
    [name, nb.name] as const,
    [description, nb.description] as const,
  ]),
  ...Object.entries(words.muscles),
  ...Object.entries(words.equipment),
]

const norwegian: ReadonlyMap<string, string> = new Map(norwegianTexts)

interface LibraryTexts {
  readonly name: string
  readonly description?: string
  readonly instruction?: string
  readonly equipment?: string
  readonly muscles?: readonly string[]
  readonly exercises?: readonly LibraryTexts[]
}

/**
 * A record with the library's texts in a language. The database has them in English, as programs of the wrapper get
 * them. A text that the library does not have any more, such as that of an old copy, stays as it is.
 */
export function inLanguage<Texts extends LibraryTexts>(language: Language, record: Texts): Texts {
  if (language === 'en') return record
  const { name, description, instruction, equipment, muscles, exercises } = record
  const read = (text: string) => norwegian.get(text) ?? text
  return {
    ...record,
    name: read(name),
    ...(description !== undefined && { description: read(description) }),
    ...(instruction !== undefined && { instruction: read(instruction) }),
    ...(equipment !== undefined && { equipment: read(equipment) }),
    ...(muscles && { muscles: muscles.map(read) }),
    ...(exercises && { exercises: exercises.map(exercise => inLanguage(language, exercise)) }),
  }
}

const collators = { en: new Intl.Collator('en'), nb: new Intl.Collator('nb') }

/** A page of records of the library, best first, then by name. All that were found are read: the library is small. */
export function pageInLanguage<Found extends LibraryTexts & { readonly rank: number }>(
  language: Language,
  found: readonly Found[],
  { offset, limit }: Page,
) {
  const { compare } = collators[language]
  return found
    .map(record => inLanguage(language, record))
    .sort((one, other) => one.rank - other.rank || compare(one.name, other.name))
    .slice(offset, offset + limit)
    .map(({ rank: _, ...record }) => record)
}

/** Texts for the full-text index: a search finds them in each language. */
export function inAllLanguages(...texts: readonly string[]): string {
  return texts.flatMap(text => [text, norwegian.get(text) ?? '']).join('\n')
}
