import { cleanEvent } from './clean-event.ts'
import type { WrapperEvent } from './wrapper-event.ts'

type Describe<Type extends WrapperEvent['type']> = (event: Extract<WrapperEvent, { type: Type }>) => string

const sentences: { readonly [Type in WrapperEvent['type']]: Describe<Type> } = {
  started: ({ version, engine, pipe }) =>
    `Version ${version} runs in ${engine}. ${pipe === undefined ? 'It has no pipe.' : `Its pipe: ${pipe}`}`,
  'start-failed': ({ code, reason }) =>
    `The wrapper did not start (${reason === undefined ? code : `${code}, ${reason}`}).`,
  closing: () => 'The wrapper closes.',
  'pipe-taken': ({ pipe, owner }) =>
    `Something else${owner === undefined ? '' : `, of the user with the id ${owner},`} has the name of this wrapper’s pipe, ${pipe}. Programs cannot command the wrapper until it is removed and the wrapper started again: report it to the administrator of this machine.`,
  'hand-off-taken': () =>
    'Something that is not this user’s wrapper has the address at which launches are handed over. The wrapper does not start: report it to the administrator of this machine.',
  'pipe-key-unusable': ({ reason }) =>
    `The key by which programs recognise this wrapper’s pipe could not be made (${reason}). On Windows they may refuse the pipe.`,
  crashed: ({ kind }) => `Something failed that nobody caught (${kind}). The wrapper ends.`,
  'setting-ignored': ({ setting, problem }) => `The setting ${setting} ${problem}.`,
  'configuration-exposed': ({ of, problem }) =>
    `The configuration ${of} in the application root ${problem}. Whoever may change it decides what the wrapper opens and runs.`,
  'settings-damaged': () =>
    'The user’s settings were damaged. They were set aside as user.config.bad-<time>, and the defaults apply.',
  'settings-carried-over': ({ fromVersion }) =>
    `The user’s settings were taken over from version ${fromVersion}.`,
  'settings-unsaved': ({ code }) => `The user’s settings could not be saved (${code}).`,
  'log-unwritable': ({ reason }) => `The log cannot be written (${reason}).`,
  'events-dropped': ({ of, count }) => `There were too many events ${of} at once: ${count} were left out.`,
  'launch-taken': ({ launchId }) => `The launch ${launchId} was taken.`,
  'launch-refused': ({ launchId, code }) => `The launch ${launchId} was refused (${code}).`,
  'launch-done': ({ launchId }) => `The launch ${launchId} was carried out.`,
  'launch-failed': ({ launchId, code }) => `The launch ${launchId} was not carried out (${code}).`,
  'launch-leftover': ({ launchId, code }) =>
    `The launch ${launchId} was carried out; clearing up after it failed (${code}).`,
  'web-app-connected': ({ isSignedIn }) =>
    `The web app has connected; ${isSignedIn ? 'somebody' : 'nobody'} is signed in.`,
  'signed-in': () => 'Somebody has signed in.',
  'signed-out': ({ by }) => `The session was ended by the ${by}.`,
  'sign-out-failed': ({ reason }) =>
    `After a sign-out, what the web app had left could not be forgotten (${reason}).`,
  'page-unreachable': ({ origin, reason }) => `The page of ${origin} did not load: ${reason}`,
  'page-reachable': ({ origin }) => `The page of ${origin} can be reached again.`,
  'page-crashed': () => 'The web app’s page has crashed.',
  'page-hung': () => 'The web app’s page no longer answers.',
  'page-restarted': () => 'The web app’s page was started anew.',
  'engine-lost': () => 'The browser of the window has ended without being asked to.',
  'engine-restarted': () => 'The browser of the window was started anew.',
  'page-given-up': () =>
    'The web app’s page crashes or hangs again and again. It is tried again after a while, or when somebody asks for it.',
  'engine-given-up': () => 'The browser of the window ends again and again. The wrapper ends.',
  'sign-on-refused': ({ status }) =>
    `The service refused the sign-on from another application (status ${status}).`,
  'page-message-unclear': ({ places }) =>
    `The web app’s page sent a message that is not understood: ${places}`,
  'page-protocol': ({ spoken, wanted }) =>
    `The web app’s page speaks version ${spoken} of the bridge, not ${wanted}.`,
  'tray-absent': ({ reason }) => `There is no icon in the tray: ${reason}`,
  'tray-lost': () => 'The icon in the tray has gone.',
  'notice-unshown': ({ code }) => `A notice could not be shown in the window (${code}).`,
  'own-function-failed': ({ of, kind }) =>
    `A function in the option ${of} of createWrapper failed (${kind}).`,
  'installation-unnoted': ({ reason }) =>
    `Where the wrapper is installed could not be noted (${reason}). Programs that start it may not find it.`,
  'update-available': ({ version }) => `A newer version is available: ${version}.`,
  'update-check-failed': ({ reason }) => `The check for updates failed: ${reason}.`,
}

/** Says an event in a sentence for people, without personal data. */
export function describeEvent(event: WrapperEvent): string {
  const describe = sentences[event.type] as (event: WrapperEvent) => string
  return describe(cleanEvent(event))
}
