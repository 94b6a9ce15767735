/** How much an event matters; the setting `LogLevel` names the least that is written. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/**
 * Every event of a wrapper's life that is worth noting: a line in the log, a sentence for people. No event holds the path of an
 * address, the name of a file, the value of an argument or data of a person.
 */
export type WrapperEvent =
  | {
      readonly type: 'started'
      readonly version: string
      readonly engine: string
      /** Missing after `pipe-taken`. */
      readonly pipe?: string
    }
  | {
      readonly type: 'start-failed'
      readonly code: string
      /** One word more than the code: the fault of the error, or the operating system's code. */
      readonly reason?: string
    }
  | { readonly type: 'closing' }
  | { readonly type: 'pipe-taken'; readonly pipe: string; readonly owner?: number }
  | { readonly type: 'hand-off-taken' }
  | { readonly type: 'crashed'; readonly kind: string }
  | { readonly type: 'setting-ignored'; readonly setting: string; readonly problem: string }
  | {
      readonly type: 'configuration-exposed'
      readonly of: 'file' | 'folder'
      /** A clause such as `belongs to another user`. */
      readonly problem: string
    }
  | { readonly type: 'settings-damaged' }
  | { readonly type: 'settings-carried-over'; readonly fromVersion: string }
  | { readonly type: 'settings-unsaved'; readonly code: string }
  | { readonly type: 'log-unwritable'; readonly reason: string }
  | { readonly type: 'events-dropped'; readonly of: string; readonly count: number }
  | { readonly type: 'launch-taken'; readonly launchId: string }
  | { readonly type: 'launch-refused'; readonly launchId: string; readonly code: string }
  | { readonly type: 'launch-done'; readonly launchId: string }
  | { readonly type: 'launch-failed'; readonly launchId: string; readonly code: string }
  | { readonly type: 'launch-leftover'; readonly launchId: string; readonly code: string }
  | { readonly type: 'web-app-connected'; readonly isSignedIn: boolean }
  | { readonly type: 'signed-in' }
  | { readonly type: 'signed-out'; readonly by: 'page' | 'tray' | 'integrator' }
  | { readonly type: 'sign-out-failed'; readonly reason: string }
  | { readonly type: 'page-unreachable'; readonly origin: string; readonly reason: string }
  | { readonly type: 'page-reachable'; readonly origin: string }
  | { readonly type: 'page-crashed' }
  | { readonly type: 'page-hung' }
  | { readonly type: 'page-restarted' }
  | { readonly type: 'engine-lost' }
  | { readonly type: 'engine-restarted' }
  | { readonly type: 'page-given-up' }
  | { readonly type: 'engine-given-up' }
  | { readonly type: 'sign-on-refused'; readonly status: number }
  | { readonly type: 'page-message-unclear'; readonly places: string }
  | { readonly type: 'page-protocol'; readonly spoken: number; readonly wanted: number }
  | { readonly type: 'tray-absent'; readonly reason: string }
  | { readonly type: 'tray-lost' }
  | { readonly type: 'notice-unshown'; readonly code: string }
  | {
      readonly type: 'own-function-failed'
      readonly of: 'onNotice' | 'openExternal' | 'texts' | 'tray'
      readonly kind: string
    }
  | { readonly type: 'installation-unnoted'; readonly reason: string }
  | { readonly type: 'update-available'; readonly version: string }
  | { readonly type: 'update-check-failed'; readonly reason: string }

/** Takes events as they come. */
export type ReportEvent = (event: WrapperEvent) => void

type EventOf<Type extends WrapperEvent['type']> = Extract<WrapperEvent, { type: Type }>

/** Each event: its level, and its sentence for people. */
export const eventTable: {
  readonly [Type in WrapperEvent['type']]: readonly [LogLevel, (event: EventOf<Type>) => string]
} = {
  started: [
    'info',
    ({ version, engine, pipe }) =>
      `Version ${version} runs in ${engine}. ${pipe === undefined ? 'It has no pipe.' : `Its pipe: ${pipe}`}`,
  ],
  'start-failed': [
    'error',
    ({ code, reason }) =>
      `The wrapper did not start (${reason === undefined ? code : `${code}, ${reason}`}).`,
  ],
  closing: ['info', () => 'The wrapper closes.'],
  'pipe-taken': [
    'error',
    ({ pipe, owner }) =>
      `Something else${owner === undefined ? '' : `, of the user with the id ${owner},`} has the name of this wrapper’s pipe, ${pipe}. Programs cannot command the wrapper until it is removed and the wrapper started again: report it to the administrator of this machine.`,
  ],
  'hand-off-taken': [
    'error',
    () =>
      'Something that is not this user’s wrapper has the address at which launches are handed over. The wrapper does not start: report it to the administrator of this machine.',
  ],
  crashed: ['error', ({ kind }) => `Something failed that nobody caught (${kind}). The wrapper ends.`],
  'setting-ignored': ['warn', ({ setting, problem }) => `The setting ${setting} ${problem}.`],
  'configuration-exposed': [
    'warn',
    ({ of, problem }) =>
      `The configuration ${of} in the application root ${problem}. Whoever may change it decides what the wrapper opens and runs.`,
  ],
  'settings-damaged': [
    'warn',
    () =>
      'The user’s settings were damaged. They were set aside as user.config.bad-<time>, and the defaults apply.',
  ],
  'settings-carried-over': [
    'info',
    ({ fromVersion }) => `The user’s settings were taken over from version ${fromVersion}.`,
  ],
  'settings-unsaved': ['warn', ({ code }) => `The user’s settings could not be saved (${code}).`],
  'log-unwritable': ['warn', ({ reason }) => `The log cannot be written (${reason}).`],
  'events-dropped': [
    'warn',
    ({ of, count }) => `There were too many events ${of} at once: ${count} were left out.`,
  ],
  'launch-taken': ['info', ({ launchId }) => `The launch ${launchId} was taken.`],
  'launch-refused': ['info', ({ launchId, code }) => `The launch ${launchId} was refused (${code}).`],
  'launch-done': ['info', ({ launchId }) => `The launch ${launchId} was carried out.`],
  'launch-failed': ['warn', ({ launchId, code }) => `The launch ${launchId} was not carried out (${code}).`],
  'launch-leftover': [
    'warn',
    ({ launchId, code }) => `The launch ${launchId} was carried out; clearing up after it failed (${code}).`,
  ],
  'web-app-connected': [
    'debug',
    ({ isSignedIn }) => `The web app has connected; ${isSignedIn ? 'somebody' : 'nobody'} is signed in.`,
  ],
  'signed-in': ['info', () => 'Somebody has signed in.'],
  'signed-out': ['info', ({ by }) => `The session was ended by the ${by}.`],
  'sign-out-failed': [
    'error',
    ({ reason }) => `After a sign-out, the data of the web app could not be removed (${reason}).`,
  ],
  'page-unreachable': ['warn', ({ origin, reason }) => `The page of ${origin} did not load: ${reason}`],
  'page-reachable': ['info', ({ origin }) => `The page of ${origin} can be reached again.`],
  'page-crashed': ['error', () => 'The web app’s page has crashed.'],
  'page-hung': ['error', () => 'The web app’s page no longer answers.'],
  'page-restarted': ['info', () => 'The web app’s page was started anew.'],
  'engine-lost': ['error', () => 'The browser of the window has ended without being asked to.'],
  'engine-restarted': ['info', () => 'The browser of the window was started anew.'],
  'page-given-up': [
    'error',
    () =>
      'The web app’s page crashes or hangs again and again. It is tried again after a while, or when somebody asks for it.',
  ],
  'engine-given-up': ['error', () => 'The browser of the window ends again and again. The wrapper ends.'],
  'sign-on-refused': [
    'warn',
    ({ status }) => `The service refused the sign-on from another application (status ${status}).`,
  ],
  'page-message-unclear': [
    'warn',
    ({ places }) => `The web app’s page sent a message that is not understood: ${places}`,
  ],
  'page-protocol': [
    'warn',
    ({ spoken, wanted }) => `The web app’s page speaks version ${spoken} of the bridge, not ${wanted}.`,
  ],
  'tray-absent': ['info', ({ reason }) => `There is no icon in the tray: ${reason}`],
  'tray-lost': ['warn', () => 'The icon in the tray has gone.'],
  'notice-unshown': ['warn', ({ code }) => `A notice could not be shown in the window (${code}).`],
  'own-function-failed': [
    'error',
    ({ of, kind }) => `A function in the option ${of} of createWrapper failed (${kind}).`,
  ],
  'installation-unnoted': [
    'warn',
    ({ reason }) =>
      `Where the wrapper is installed could not be noted (${reason}). Programs that start it may not find it.`,
  ],
  'update-available': ['info', ({ version }) => `A newer version is available: ${version}.`],
  'update-check-failed': ['info', ({ reason }) => `The check for updates failed: ${reason}.`],
}

/** How much an event matters. People are told warnings and errors. */
export function levelOf({ type }: WrapperEvent): LogLevel {
  return eventTable[type][0]
}
