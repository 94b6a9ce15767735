/**
 * The wrapper's own words to the person at the desktop: plain text. `{name}` stands for the name of the brand; other words in braces
 * stand for the facts of their text.
 */
export interface WrapperTexts {
  readonly trayShow: string
  readonly traySignOut: string
  readonly trayClose: string
  readonly unreachableTitle: string
  /** The engine’s reason follows, in English, for the support. */
  readonly unreachableReason: string
  readonly unreachableRetry: string
  readonly crashedTitle: string
  readonly crashedReason: string
  readonly crashedRetry: string
  /** `{version}`: the newer one. */
  readonly updateAvailable: string
  readonly updateFollow: string
  /** The wrapper closes for a new version, as soon as nothing is unsaved, and in two minutes at the latest. */
  readonly closesForUpdate: string
  readonly signOnRefused: string
  readonly signOnUnreachable: string
  readonly noticeDismiss: string
  /** Title and first line of the box after a failed start. The reason follows, in English, for the support. */
  readonly startFailedTitle: string
  readonly startFailedAdvice: string
  /** In place of the advice: the failure stays until somebody with the rights ends it. */
  readonly startFailedLastingAdvice: string
  /** Title and text of the box when the browser has ended too often. */
  readonly lostTitle: string
  readonly lostAdvice: string
  /** Last line of a box. `{file}`: its path. */
  readonly logPlace: string
}

/** The words for one person: a language, and all texts with the brand's name in them. */
export interface LoadedTexts extends WrapperTexts {
  /** Language of the texts, BCP 47, for screen readers. */
  readonly language: string
}

/** Puts facts into a text: `{version}` becomes the member `version`. Other words in braces stay. */
export function fillText(text: string, facts: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (found, name: string) =>
    Object.hasOwn(facts, name) ? (facts[name] ?? found) : found,
  )
}
