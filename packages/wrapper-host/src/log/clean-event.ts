import { eventTable, type WrapperEvent } from './events.ts'

/** Name of a fact of any event. */
type FactName = WrapperEvent extends infer Event
  ? Event extends unknown
    ? Exclude<keyof Event, 'type'>
    : never
  : never

const maxTextLength = 200
const maxWordLength = 64

/** How each fact is cleaned. */
const rules: Readonly<Record<FactName, (fact: unknown) => string | number | boolean>> = {
  version: cleanName,
  fromVersion: cleanName,
  engine: cleanText,
  pipe: cleanPipe,
  owner: cleanNumber,
  setting: cleanName,
  problem: cleanText,
  launchId: cleanId,
  code: cleanCode,
  isSignedIn: fact => fact === true,
  by: cleanName,
  kind: cleanName,
  origin: cleanOrigin,
  reason: cleanText,
  places: cleanText,
  of: cleanName,
  count: cleanNumber,
  spoken: cleanNumber,
  wanted: cleanNumber,
  status: cleanNumber,
}

/** A place on a disk: `C:\…`, `\\server\…`, `/home/…`, `~/…`, `file:…`. */
const path = /\bfile:\S*|(?<![\w.:/])(?:[a-z]:[\\/]|\\\\|~?\/)\S+|(?<=:)\/(?!\/)\S+/gi

/**
 * Makes an event safe to write down, also if its facts break their contract: one line, of bounded length, no address with a
 * path, no path of a file, no word as long as a token, no unknown fact. Names of persons cannot be told from other words: the
 * reporter must not pass any.
 */
export function cleanEvent<Event extends WrapperEvent>(event: Event): Event {
  const facts = Object.entries(event).flatMap(([name, fact]) =>
    Object.hasOwn(rules, name) ? [[name, rules[name as FactName](fact)] as const] : [],
  )
  return { type: event.type, ...Object.fromEntries(facts) } as unknown as Event
}

/** Says an event in a sentence for people, without personal data. */
export function describeEvent(event: WrapperEvent): string {
  const describe = eventTable[event.type][1] as (event: WrapperEvent) => string
  return describe(cleanEvent(event))
}

/** The launching process chooses the id. Only characters that make no words pass. */
function cleanId(fact: unknown): string {
  return typeof fact === 'string' && /^[\w-]{1,64}$/.test(fact) ? fact : 'unclear'
}

/** This project's codes, and those of operating systems. */
function cleanCode(fact: unknown): string {
  return typeof fact === 'string' && /^(?:ERR_[A-Z\d_]{1,60}|E[A-Z\d]{1,31})$/.test(fact) ? fact : 'unclear'
}

/** A version, a setting: a few characters of a small alphabet. */
function cleanName(fact: unknown): string {
  return typeof fact === 'string' && /^[\w .:+-]{1,64}$/.test(fact) ? fact : 'unclear'
}

function cleanNumber(fact: unknown): number {
  return typeof fact === 'number' ? fact : Number.NaN
}

/** Ends in a name and a process id. No address of a page and no token does. */
function cleanPipe(fact: unknown): string {
  const isPipe =
    typeof fact === 'string' && /^[\p{L}\p{N}\w ./\\-]{0,140}[/\\][\w-]{1,48}\.\d{1,10}$/u.test(fact)
  return isPipe ? fact : 'unclear'
}

function cleanOrigin(fact: unknown): string {
  const origin = typeof fact === 'string' ? URL.parse(fact)?.origin : undefined
  return origin === undefined || origin === 'null' ? 'an unknown address' : shorten(origin)
}

/** Words of people or of an engine. */
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
