import type { WrapperTexts } from './wrapper-texts.ts'

export const texts: WrapperTexts = {
  trayShow: 'Show {name}',
  traySignOut: 'Sign out',
  trayClose: 'Close',
  unreachableTitle: '{name} cannot be reached',
  unreachableReason:
    'Check the network connection. This page goes away by itself as soon as the service answers; waiting commands then run. If this continues, give support the message below.',
  unreachableRetry: 'Try again',
  crashedTitle: '{name} cannot be shown',
  crashedReason:
    'The page has stopped several times. The program tries again after a while. If this continues, contact support.',
  crashedRetry: 'Try again',
  updateAvailable: 'A newer version of {name} is available: {version}.',
  updateFollow: 'Download',
  closesForUpdate:
    'A new version of {name} is being installed. Save your work: the program closes in two minutes at the latest, and starts again.',
  signOnRefused: 'The sign-on from the other application was refused. Open the person there again.',
  signOnUnreachable:
    'The sign-on from the other application did not reach the service. Open the person there again.',
  noticeDismiss: 'Dismiss',
  startFailedTitle: '{name} did not start',
  startFailedAdvice: 'Try again. If {name} still does not start, give support the message below.',
  startFailedLastingAdvice:
    'Trying again does not help. Give the message below to the administrator of this computer.',
  lostTitle: '{name} has closed',
  lostAdvice:
    'The window stopped working several times. Start {name} again. If this continues, contact support.',
  logPlace: 'The log: {file}',
}
