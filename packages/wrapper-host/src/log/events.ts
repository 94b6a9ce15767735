/** How much an event matters. The setting `LogLevel` names the least important level that is written. */
export type LogLevel = 'error' | 'warn' | 'info' | 'debug'

/** An event that people are told, in a sentence. */
const told =
  <Level extends LogLevel>(level: Level) =>
  <Facts extends object = object>(describe: (facts: Facts) => string) => ({ level, describe })

/** An event for the log alone. */
const noted =
  <Level extends LogLevel>(level: Level) =>
  <Facts extends object = object>(): { readonly level: Level; describe?(facts: Facts): string } => ({ level })

const [error, warn, info, debug] = [told('error'), told('warn'), noted('info'), noted('debug')]

/**
 * Every event of a wrapper's life: its level and facts, and the sentence of a warning or an error. No fact may hold the path of an
 * address, the name of a file, the value of an argument or data of a person.
 * Policies have their places: only administrators can write there.
 */
const eventTable = {
  /** `pipe` is missing after `pipe-taken` and `pipe-absent`. */
  started: info<{ version: string; engine: string; pipe?: string }>(),
  /** `reason` is the fault of the error or the operating system's code. */
  'start-failed': error(
    ({ code, reason }: { code: string; reason?: string; policies?: string }) =>
      `The wrapper did not start (${reason === undefined ? code : `${code}, ${reason}`}).`,
  ),
  /** `policies` have their files or registry keys with them; empty if none was found. */
  'browser-forbidden': warn(
    ({ browser, policies }: { browser: string; policies: string }) =>
      `The browser ${browser} is not used, since policies forbid it: ${policies || 'see chrome://policy in it'}. The next one is tried.`,
  ),
  closing: info(),
  'pipe-taken': error(
    ({ pipe, owner }: { pipe: string; owner?: number }) =>
      `Something else${owner === undefined ? '' : `, of the user with the id ${owner},`} has the name of this wrapper’s pipe, ${pipe}. Programs cannot command the wrapper until it is removed and the wrapper started again: report it to the administrator of this machine.`,
  ),
  'pipe-absent': error(
    ({ reason }: Reason) =>
      `The wrapper has no pipe: it could not be made (${reason}). Programs that look for it by its name cannot command the wrapper. On Linux and macOS set TMPDIR to the absolute path of a folder of temporary files, not too long, and start the wrapper again.`,
  ),
  'connection-failed': warn(
    ({ reason }: Reason) => `A program could not connect to the wrapper (${reason}).`,
  ),
  'hand-off-taken': error(
    () =>
      'Something that is not this user’s wrapper has the address at which launches are handed over. The wrapper does not start: report it to the administrator of this machine.',
  ),
  crashed: error(({ kind }: Kind) => `Something failed that nobody caught (${kind}). The wrapper ends.`),
  'setting-ignored': warn(
    ({ setting, problem }: { setting: string; problem: string }) => `The setting ${setting} ${problem}.`,
  ),
  /** A file of an older wrapper has such settings. `names` have commas between them. */
  'settings-unknown': info<{ names: string }>(),
  /** `problem` is a clause such as `belongs to another user`. */
  'configuration-exposed': warn(
    ({ of, problem }: { of: 'file' | 'folder'; problem: string }) =>
      `The configuration ${of} in the application root ${problem}. Whoever may change it decides what the wrapper opens and runs.`,
  ),
  /** `names` have commas between them. */
  'variables-ignored': warn(
    ({ names }: { names: string }) =>
      `A packed wrapper ignores these variables of its environment: ${names}. They count in development only.`,
  ),
  'settings-damaged': warn(
    () =>
      'The user’s settings were damaged. They were set aside as user.config.bad-<time>, and the defaults apply.',
  ),
  'settings-carried-over': info<{ fromVersion: string }>(),
  'settings-unsaved': warn(({ code }: Code) => `The user’s settings could not be saved (${code}).`),
  /** A program has turned the log to debug, until the next start. */
  'log-detailed': info(),
  'log-unwritable': warn(({ reason }: Reason) => `The log cannot be written (${reason}).`),
  /** `field` is the place of an argument, `problem` a clause such as `must be a day that exists`. */
  'field-dropped': warn(
    ({ source, field, problem }: { source: FieldSource; field: string; problem: string }) =>
      `A program sent a field that cannot be read, and it was left out (${source}): ${field} ${problem}.`,
  ),
  /** `problem` is a clause such as `was read as DD.MM.YYYY, the order of the culture nb-NO`. */
  'field-noted': info<{ source: FieldSource; field: string; problem: string }>(),
  'launch-taken': info<OfLaunch>(),
  'launch-refused': info<OfLaunch & Code>(),
  'launch-done': info<OfLaunch>(),
  'launch-failed': warn(
    ({ launchId, code }: OfLaunch & Code) => `The launch ${launchId} was not carried out (${code}).`,
  ),
  'launch-leftover': warn(
    ({ launchId, code }: OfLaunch & Code) =>
      `The launch ${launchId} was carried out; clearing up after it failed (${code}).`,
  ),
  /**
   * A launch, a file, a frame of the pipe or a call of the bridge, once it has ended. `args` has names, types and lengths, such as
   * `customid text 4`; names that the wrapper does not know are `?`.
   */
  exchange: debug<OfExchange>(),
  'web-app-connected': debug<{ isSignedIn: boolean }>(),
  'web-app-unconnected': warn(
    ({ origin }: { origin: string }) =>
      `A page of ${origin} has loaded and does not connect: commands fail until it calls connectHost.`,
  ),
  'signed-in': info(),
  'signed-out': info<{ by: 'page' | 'tray' | 'integrator' | 'pipe' }>(),
  'unsaved-lost': warn(
    ({ length, most }: { length: number; most: number }) =>
      `What a user had not saved is lost: the web app handed over ${length} characters, and at most ${most} are kept.`,
  ),
  'sign-out-failed': error(
    ({ reason }: Reason) => `Data of an ended session could not be removed (${reason}).`,
  ),
  'page-unreachable': warn(
    ({ origin, reason }: { origin: string } & Reason) => `The page of ${origin} did not load: ${reason}`,
  ),
  'page-reachable': info<{ origin: string }>(),
  'page-crashed': error(() => 'The web app’s page has crashed.'),
  'page-hung': error(() => 'The web app’s page no longer answers.'),
  'page-restarted': info(),
  'engine-lost': error(() => 'The browser of the window has ended without being asked to.'),
  'engine-restarted': info(),
  'page-given-up': error(
    () =>
      'The web app’s page crashes or hangs again and again. It is tried again after a while, or when somebody asks for it.',
  ),
  'engine-given-up': error(() => 'The browser of the window ends again and again. The wrapper ends.'),
  'sign-on-refused': warn(
    ({ status }: { status: number }) =>
      `The service refused the sign-on from another application (status ${status}).`,
  ),
  'page-message-unclear': warn(
    ({ places }: { places: string }) => `The web app’s page sent a message that is not understood: ${places}`,
  ),
  'page-protocol': warn(
    ({ spoken, wanted }: { spoken: number; wanted: number }) =>
      `The web app’s page speaks version ${spoken} of the bridge, not ${wanted}.`,
  ),
  'tray-absent': info<Reason>(),
  'tray-reopened': info(),
  'tray-lost': warn(() => 'The icon in the tray has gone.'),
  /** The engine cannot hide its window, which is minimized in spite of the setting `HideToTray`. */
  'window-unhidable': info<{ engine: string }>(),
  'own-function-failed': error(
    ({ of, kind }: { of: 'onNotice' | 'openExternal' | 'tray' } & Kind) =>
      `A function in the option ${of} of createWrapper failed (${kind}).`,
  ),
  'installation-unnoted': warn(
    ({ reason }: Reason) =>
      `Where the wrapper is installed could not be noted (${reason}). Programs that start it may not find it.`,
  ),
  'update-available': info<{ version: string }>(),
  'update-check-failed': info<Reason>(),
}

/** Transport of a command. */
type FieldSource = 'pipe' | 'command line' | 'XML file'

interface OfExchange {
  readonly exchange: number
  /** Number of the exchange that caused it, or during which it came. */
  readonly within?: number
  readonly kind: 'launch' | 'file' | 'frame' | 'bridge'
  readonly direction: 'in' | 'out'
  /** Command, event or handler. */
  readonly name?: string
  /** Number of the pipe's connection. */
  readonly connection?: number
  readonly bytes: number
  readonly args?: string
  /** `ok` or a code. */
  readonly outcome: string
  readonly durationMs: number
  readonly replyBytes?: number
}
interface OfLaunch {
  readonly launchId: string
}
interface Code {
  readonly code: string
}
interface Kind {
  readonly kind: string
}
interface Reason {
  readonly reason: string
}

type EventType = keyof typeof eventTable

/** An event of a wrapper's life: its type and its facts. */
export type WrapperEvent = {
  [Type in EventType]: { readonly type: Type } & Readonly<
    Parameters<NonNullable<(typeof eventTable)[Type]['describe']>>[0]
  >
}[EventType]

/** Takes events as they come. */
export type ReportEvent = (event: WrapperEvent) => void

/** Tells how much an event matters. */
export function levelOf({ type }: WrapperEvent): LogLevel {
  return eventTable[type].level
}

/** The sentence of a warning or an error for people, without personal data. Other events have none. */
export function describeEvent(event: WrapperEvent): string | undefined {
  const { describe }: { describe?(facts: WrapperEvent): string } = eventTable[event.type] as object
  return describe?.(cleanEvent(event))
}

const maxTextLength = 200
const maxWordLength = 64
const maxNames = 50

/** Facts that are no words for people. */
const rules = new Map<string, (fact: unknown) => string>([
  ['pipe', cleanPipe],
  ['launchId', cleanId],
  ['code', cleanId],
  ['outcome', cleanId],
  ['args', cleanArguments],
  ['origin', cleanOrigin],
  ['names', cleanNames],
  ['policies', cleanPolicies],
])

/** A place on a disk: `C:\…`, `\\server\…`, `/home/…`, `~/…`, `file:…`. */
const path = /\bfile:\S*|(?<![\w.:/])(?:[a-z]:[\\/]|\\\\|~?\/)\S+|(?<=:)\/(?!\/)\S+/gi

/**
 * Makes an event safe to write, even if its facts break their contract: one line of bounded length, without paths and tokens. Nobody
 * can tell names of persons from other words, so no event may hold one.
 */
export function cleanEvent<Event extends WrapperEvent>({ type, ...facts }: Event): Event {
  const cleaned = Object.entries(facts).map(([name, fact]) => [name, cleanFact(name, fact)])
  return { type, ...Object.fromEntries(cleaned) }
}

function cleanFact(name: string, fact: unknown): string | number | boolean {
  if (typeof fact === 'number' || typeof fact === 'boolean') return fact
  return (rules.get(name) ?? cleanText)(fact)
}

/** The launching process chooses the id. Refuses characters that could form words. */
function cleanId(fact: unknown): string {
  return typeof fact === 'string' && /^[\w-]{1,64}$/.test(fact) ? fact : 'unclear'
}

/** Passes a path that ends in a name and a process id, which no web address and no token does. */
function cleanPipe(fact: unknown): string {
  const isPipe =
    typeof fact === 'string' && /^[\p{L}\p{N}\w ./\\-]{0,140}[/\\][\w-]{1,48}\.\d{1,10}$/u.test(fact)
  return isPipe ? fact : 'unclear'
}

/** A file may have any text in the place of a name. */
function cleanNames(fact: unknown): string {
  const names = typeof fact === 'string' ? fact.split(', ') : ['unclear']
  const listed = names.slice(0, maxNames).map(name => (/^[A-Za-z]\w{0,63}$/.test(name) ? name : 'unclear'))
  return [...listed, ...(names.length > maxNames ? ['…'] : [])].join(', ')
}

/** Passes names with their places, which only administrators can write. */
function cleanPolicies(fact: unknown): string {
  const isList =
    typeof fact === 'string' &&
    /^(?:\w{1,60} \((?:\/etc\/[\w./-]{1,120}|HK(?:LM|CU)\\Software\\Policies\\[\w\\ ]{1,120})\)(?:, |$)){0,50}$/.test(
      fact,
    )
  return isList ? fact : 'unclear'
}

/** Names, types and lengths alone. */
function cleanArguments(fact: unknown): string {
  const isShape =
    typeof fact === 'string' && /^(?:(?:\w{1,40}|\?) [a-z]{4,9}(?: \d{1,9})?(?:, |$)|…$)+$/.test(fact)
  return isShape ? fact : 'unclear'
}

function cleanOrigin(fact: unknown): string {
  const origin = typeof fact === 'string' ? URL.parse(fact)?.origin : undefined
  return origin === undefined || origin === 'null' ? 'an unknown address' : shorten(origin)
}

/** Shortens words of people or of an engine, and removes addresses and paths. */
function cleanText(fact: unknown): string {
  if (typeof fact !== 'string') return 'unclear'
  const words = fact
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .replaceAll(/\b[a-z][a-z\d+.-]*:\/\/\S+/gi, cleanOrigin)
    .replaceAll(path, '…')
    .trim()
    .split(' ')
  return shorten(words.map(word => (word.length > maxWordLength ? '…' : word)).join(' '))
}

function shorten(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength - 1)}…` : text
}
