// Names of all commands, methods and events, and the check of what a wrapper sends for each. Clients load it without the schemas.

import { WebAppError } from '../errors/command-error.ts'
import { findTextProblem } from '../text/text-rules.ts'
import { fromWire } from '../text/wire-names.ts'

/** Whether a value from the wire has the shape that is needed. Unknown members do not matter. */
type Check = (value: unknown) => boolean

const isInteger: Check = Number.isSafeInteger
const isBoolean: Check = value => typeof value === 'boolean'
const isText: Check = value => typeof value === 'string'
const isKeptText: Check = value => typeof value === 'string' && findTextProblem(value) === undefined
const isList: Check = Array.isArray
const atLeast = (least: number): Check => {
  return value => isInteger(value) && Number(value) >= least
}
const nullOr = (check: Check): Check => {
  return value => value === null || check(value)
}
const maybe = (check: Check): Check => nullOr(value => value === undefined || check(value))
const listOf = (check: Check): Check => {
  return value => Array.isArray(value) && value.every(check)
}
const having = (members: Readonly<Record<string, Check>>): Check => {
  const checks = Object.entries(members)
  return value =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    checks.every(([name, check]) => check(Reflect.get(value, name)))
}

const maybeText = maybe(isText)

/** What a wrapper answers or tells, as it travels: nothing, text, or JSON that the check takes. */
export type ReplyShape = 'none' | 'text' | Check

const isWorkout = having({
  id: isInteger,
  name: maybeText,
  description: maybeText,
  lastChangedAt: maybeText,
  owner: maybeText,
  executor: maybeText,
  exerciseCount: maybe(atLeast(0)),
  exercises: maybe(isList),
})

const isUser = having({
  id: isInteger,
  customId: maybe(isKeptText),
  firstname: maybeText,
  lastname: maybeText,
  email: maybeText,
  dateOfBirth: maybeText,
})

const isPersonInFocus = having({
  userid: maybe(isInteger),
  customid: maybe(isKeptText),
  firstname: maybeText,
  lastname: maybeText,
})

/** Replies of the commands that the classic mode of the pipe has. */
const classicReplies = {
  hide: 'none',
  show: 'none',
  version: 'text',
  close: 'none',
  getworkoutsforclient: listOf(isWorkout),
  openworkout: 'none',
  getlistofusers: listOf(isUser),
  setcustomid: 'none',
  selectperson: having({
    status: status => status === 'selected' || status === 'created',
    userid: isInteger,
    customid: isKeptText,
  }),
} as const satisfies Readonly<Record<string, ReplyShape>>

/** Name of a command that the classic mode of the pipe has. */
export type ClassicCommandName = keyof typeof classicReplies

/** Replies of all commands. A launch, and the session mode, can ask for each. */
export const commandReplies = { ...classicReplies, queryexercises: 'none', queryworkouts: 'none' } as const

/** Name of a command, as it travels. */
export type CommandName = keyof typeof commandReplies

/** Every command name, in the order of the documentation. */
export const commandNames: readonly CommandName[] = Object.keys(commandReplies).filter(isCommandName)

/** Whether a text is a command's name as it travels. */
export function isCommandName(text: string): text is CommandName {
  return Object.hasOwn(commandReplies, text)
}

/** Whether the classic mode of the pipe has a command. */
export function isClassicCommandName(name: string): name is ClassicCommandName {
  return Object.hasOwn(classicReplies, name)
}

/** Replies of the methods of the session mode. */
export const methodReplies = {
  hello: having({
    protocol: atLeast(1),
    version: isText,
    pid: atLeast(1),
    capabilities: listOf(isText),
    maxinflight: maybe(atLeast(1)),
  }),
  status: having({ loaded: isBoolean, signedin: isBoolean, person: nullOr(isPersonInFocus) }),
  subscribe: having({ events: listOf(isText) }),
  cancel: having({ cancelled: isBoolean }),
}

/** Name of a method of the session mode, as it travels. */
export type SessionMethodName = keyof typeof methodReplies

const oneOf = (words: readonly string[]): Check => {
  return value => isText(value) && words.includes(String(value))
}

/** What {@link trafficSchema} takes: one message that passed the wrapper. */
const isTraffic = having({
  time: isText,
  kind: oneOf(['launch', 'file', 'frame', 'bridge']),
  direction: oneOf(['in', 'out']),
  exchange: atLeast(1),
  name: maybeText,
  connection: maybe(atLeast(1)),
  mode: maybe(oneOf(['classic', 'session'])),
  bytes: atLeast(0),
  text: maybeText,
  base64: maybeText,
  isCut: maybe(isBoolean),
  outcome: maybeText,
  durationMs: maybe(value => Number.isFinite(value)),
  dropped: maybe(atLeast(1)),
})

/** Data of the events of the session mode. Data of a later wrapper, where there is none yet, is ignored. */
export const eventData = {
  personselected: isPersonInFocus,
  signedin: 'none',
  signedout: 'none',
  workoutopened: having({ id: isInteger }),
  closing: 'none',
  traffic: isTraffic,
} as const satisfies Readonly<Record<string, ReplyShape>>

/** Name of an event, as it travels. */
export type SessionEventName = keyof typeof eventData

/** Every event name, in the order of the documentation. */
export const sessionEventNames: readonly SessionEventName[] = Object.keys(eventData).filter(isEventName)

/** The events that a client receives if it names none: all but `traffic`, which holds personal data. */
export const usualEventNames = sessionEventNames.filter(name => name !== 'traffic')

/** Whether a text is the name of an event as it travels. */
export function isEventName(text: string): text is SessionEventName {
  return Object.hasOwn(eventData, text)
}

/**
 * Takes what a wrapper sent, and names its ids as programs do.
 *
 * @param problem sentence of the error
 * @returns `undefined` where nothing is expected
 * @throws {WebAppError} if it has another shape
 */
export function readShape(shape: ReplyShape, value: unknown, problem: string): unknown {
  if (shape === 'none') return undefined
  if (!(shape === 'text' ? isText : shape)(value)) throw new WebAppError(problem)
  return fromWire(value)
}
