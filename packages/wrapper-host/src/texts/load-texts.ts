import { machineCulture } from '@service-link/protocol-core'
import { findNearName } from '@service-link/protocol-core/errors'
import { texts as english } from './en.ts'
import { fillText, type LoadedTexts, type WrapperTexts } from './wrapper-texts.ts'

/** Texts of an integrator, in place of single ones. */
export type OwnTexts = { readonly [Name in keyof WrapperTexts]?: string | undefined }

/** Each language is loaded when somebody reads it. */
const languages: Readonly<Record<string, () => Promise<{ readonly texts: WrapperTexts }>>> = {
  nb: () => import('./nb.ts'),
  sv: () => import('./sv.ts'),
  da: () => import('./da.ts'),
  fi: () => import('./fi.ts'),
  de: () => import('./de.ts'),
}

interface LoadTextsOptions {
  readonly displayName: string
  /** Of the brand: it counts first. */
  readonly language?: string | undefined
  /** The setting `Culture`, empty for the machine's. */
  readonly culture: string
  readonly own?: OwnTexts | undefined
  /** Default: {@link machineCulture}. */
  readonly machine?: string | undefined
}

/**
 * Loads the words for the person at the desktop, in the language of the brand, else of the setting `Culture`, else of the machine.
 * English stands in for a language that is not there.
 */
export async function loadTexts(options: LoadTextsOptions): Promise<LoadedTexts> {
  const { displayName, language, culture, own = {}, machine = machineCulture() } = options
  const wanted = language || culture || machine
  const shipped = shippedLanguage(wanted)
  const found = await languages[shipped]?.()
  const given = Object.entries(own).filter(([, text]) => text !== undefined)
  const texts: WrapperTexts = { ...english, ...found?.texts, ...Object.fromEntries(given) }
  const filled = Object.entries(texts).map(([name, text]) => [name, fillText(text, { name: displayName })])
  // A brand may bring all texts of a language that is not here.
  return { ...texts, ...Object.fromEntries(filled), language: found ? shipped : language || 'en' }
}

/** The language of a tag. Both Norwegian languages are read by all: `no` and `nn` get the one that is here. */
function shippedLanguage(tag: string): string {
  const [language = ''] = tag.toLowerCase().split(/[-_]/)
  return language === 'no' || language === 'nn' ? 'nb' : language
}

/** The name of each text. */
export const textNames: readonly string[] = Object.keys(english)

/** Longest text, and longest label of a button or a line of a menu, in characters. */
const maxText = 300
const maxLabel = 60
const labels = /^tray|Retry$|^updateFollow$|^noticeDismiss$/

/**
 * Finds what is wrong with texts of an integrator.
 *
 * @returns name and clause of each fault
 */
export function problemsOfTexts(own: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(own).flatMap(([name, text]) => {
    const problem = text === undefined ? undefined : problemOf(name, text)
    return problem === undefined ? [] : [[name, problem] as const]
  })
}

function problemOf(name: string, text: unknown): string | undefined {
  const known: Readonly<Record<string, string>> = { ...english }
  const model = Object.hasOwn(known, name) ? known[name] : undefined
  if (model === undefined) {
    const near = findNearName(name, textNames)
    return `is no text of the wrapper${near === undefined ? '' : `; did you mean ${near}?`}`
  }
  if (typeof text !== 'string' || text.trim() === '') return 'must be a text'
  const longest = labels.test(name) ? maxLabel : maxText
  if (text.length > longest) return `must have at most ${longest} characters`
  if (/[<>\p{Cc}]/u.test(text)) return 'must be one line without markup: no <, > and control characters'
  const wordsOf = (words: string) => words.match(/\{[^}]*\}?/g) ?? []
  const allowed = new Set(['{name}', ...wordsOf(model)])
  return wordsOf(text).every(word => allowed.has(word))
    ? undefined
    : `may have no other words in braces than ${[...allowed].join(', ')}`
}
