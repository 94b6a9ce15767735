import { assertParameter } from '@service-link/protocol-core/errors'
import type { ReportEvent } from '../log/events.ts'
import { guardOwn } from '../log/log.ts'

/** The wrapper's own words to the person at the desktop. */
export interface WrapperTexts {
  /** Language of the texts, BCP 47, for screen readers. */
  readonly language: string
  readonly trayShow: string
  readonly traySignOut: string
  readonly trayClose: string
  readonly unreachableTitle: string
  readonly unreachableReason: string
  readonly unreachableRetry: string
  readonly crashedTitle: string
  readonly crashedReason: string
  readonly crashedRetry: string
  readonly updateAvailable: (version: string) => string
  readonly updateFollow: string
  /** The wrapper closes for a new version, as soon as nothing is unsaved, and in two minutes at the latest. */
  readonly closesForUpdate: string
  readonly signOnRefused: string
  readonly signOnUnreachable: string
  readonly noticeDismiss: string
  readonly startFailedTitle: string
  readonly lostTitle: string
  readonly lostAdvice: string
}

/**
 * The texts in English.
 *
 * @param displayName name of the brand
 */
export function englishTexts(displayName: string): WrapperTexts {
  assertParameter('displayName', displayName, 'text')
  return {
    language: 'en',
    trayShow: `Show ${displayName}`,
    traySignOut: 'Sign out',
    trayClose: 'Close',
    unreachableTitle: `${displayName} cannot be reached`,
    unreachableReason:
      'Check the network connection. This page goes away by itself as soon as the service answers; waiting commands then run.',
    unreachableRetry: 'Try again',
    crashedTitle: `${displayName} cannot be shown`,
    crashedReason:
      'The page has stopped several times. The program tries again after a while. If this continues, contact support.',
    crashedRetry: 'Try again',
    updateAvailable: version => `A newer version of ${displayName} is available: ${version}.`,
    updateFollow: 'Download',
    closesForUpdate: `A new version of ${displayName} is being installed. Save your work: the program closes in two minutes at the latest, and starts again.`,
    signOnRefused: 'The sign-on from the other application was refused. Open the person there again.',
    signOnUnreachable:
      'The sign-on from the other application did not reach the service. Open the person there again.',
    noticeDismiss: 'Dismiss',
    startFailedTitle: `${displayName} did not start`,
    lostTitle: `${displayName} has closed`,
    lostAdvice: `The window stopped working several times. Start ${displayName} again. If this continues, contact support.`,
  }
}

/** Texts of an integrator, in another language or in part. */
export type OwnTexts = { readonly [Name in keyof WrapperTexts]?: WrapperTexts[Name] | undefined }

/** The integrator's texts, and English for the missing ones. A failing function is reported and replaced. */
export function guardedTexts(displayName: string, own: OwnTexts = {}, report: ReportEvent): WrapperTexts {
  const english = englishTexts(displayName)
  const given = Object.entries(own).filter(([, text]) => text !== undefined)
  const texts: WrapperTexts = { ...english, ...Object.fromEntries(given) }
  const updateAvailable = guardOwn('texts', texts.updateAvailable, report, english.updateAvailable)
  return { ...texts, updateAvailable }
}
