import { ParameterError } from '../errors/parameter-error.ts'

let foundCulture: string | undefined

/**
 * The culture in which this machine writes dates. On POSIX the first of `LC_ALL`, `LC_TIME` and `LANG` that is set and not
 * empty; on Windows and in a browser the user's, as the JavaScript engine found it when it started.
 *
 * @returns BCP 47 tag; `und` without a culture, as under `C`, `POSIX` and a name that nobody knows
 */
export function machineCulture(): string {
  const { process } = globalThis as { readonly process?: HostProcess }
  if (process?.env && process.platform !== 'win32') return cultureOf(process.env)
  foundCulture ??= new Intl.DateTimeFormat().resolvedOptions().locale
  return foundCulture
}

/** Facts of Node's process. A browser has none. */
interface HostProcess {
  readonly platform?: string
  readonly env?: Environment
}

type Environment = Readonly<Record<string, string | undefined>>

/** Names of scripts behind a `@` of a locale, such as `sr_RS@latin`. Others, such as `@euro`, do not change a date. */
const scripts: Readonly<Record<string, string>> = { latin: 'Latn', cyrillic: 'Cyrl' }

function cultureOf({ LC_ALL, LC_TIME, LANG }: Environment): string {
  const name = LC_ALL || LC_TIME || LANG || ''
  // `nb_NO.ISO-8859-1@euro`: language, country, character set, modifier.
  const [, language = '', country = '', modifier = ''] =
    /^([a-z]{2,3})(?:[_-]([A-Z]{2}|\d{3}))?(?:\.[^@]*)?(?:@(.*))?$/.exec(name) ?? []
  const tag = [language, scripts[modifier], country].filter(Boolean).join('-')
  return isKnownCulture(tag) ? tag : 'und'
}

/** Whether a text is a well-formed BCP 47 tag. */
export function isCulture(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

/** Whether the engine knows how a culture writes dates. For any other it would take the machine's. */
export function isKnownCulture(text: string): boolean {
  return isCulture(text) && Intl.DateTimeFormat.supportedLocalesOf(text).length === 1
}

/** Cultures that were found to be right: the engine takes some microseconds to say so. */
const rightCultures = /* @__PURE__ */ new Set<string | undefined>([undefined, 'und'])

/**
 * Checks a culture that a caller gives. By one that the engine does not know, such as `nb_NO`, no day is told from a month.
 *
 * @throws {ParameterError}
 */
export function assertCulture(parameter: string, culture: string | undefined): void {
  if (rightCultures.has(culture)) return
  if (!isKnownCulture(String(culture)))
    throw new ParameterError(parameter, 'a language tag that is known here, such as nb-NO, or und')
  rightCultures.add(culture)
}
