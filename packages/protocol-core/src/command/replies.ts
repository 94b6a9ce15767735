// Names of all commands, methods and events, and the check of what a wrapper sends for each. Clients load it without the schemas.

import { WebAppError } from '../errors/command-error.ts'
import { readInteger } from '../text/text-rules.ts'
import { fromWire } from '../text/wire-names.ts'
import {
  atLeast,
  type Check,
  having,
  isBoolean,
  isInteger,
  isText,
  type JsonShape,
  listOf,
  maybe,
  maybeInteger,
  maybeKeptText,
  maybeText,
  nullOr,
} from './json-shape.ts'
import { users, workouts } from './list-shapes.ts'

/** What a wrapper answers or tells, as it travels: nothing, text, or JSON. */
export type ReplyShape = 'none' | 'text' | JsonShape

const personInFocus = having({
  userId: maybeInteger,
  customId: maybeKeptText,
  firstname: maybeText,
  lastname: maybeText,
})

/** Whatever object a wrapper answers with, the person is in focus: older ones have other words and may leave ids out. */
const personSelected: JsonShape = {
  ...having({ status: () => true, userId: () => true, customId: () => true, error: maybeText }),
  read: given => {
    const { status, userId, customId, error: _, ...others } = given as Readonly<Record<string, unknown>>
    const readId = readInteger(String(userId ?? ''))
    const isGiven = isText(customId) || isInteger(customId)
    return {
      status: isText(status) ? status : '',
      ...(readId === undefined ? {} : { userId: readId }),
      ...(isGiven ? { customId: String(customId) } : {}),
      ...others,
    }
  },
}

/** Replies of the commands that the classic mode of the pipe has. */
const classicReplies = {
  hide: 'none',
  show: 'none',
  version: 'text',
  close: 'none',
  log: 'none',
  getworkoutsforclient: workouts,
  openworkout: 'none',
  getlistofusers: users,
  setcustomid: 'none',
  selectperson: personSelected,
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
  status: having({
    loaded: isBoolean,
    signedin: isBoolean,
    person: { ...personInFocus, check: nullOr(personInFocus.check) },
  }),
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
  personselected: personInFocus,
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
 * Takes what a wrapper sent, and names its members as programs do.
 *
 * @param problem sentence of the error
 * @returns `undefined` where nothing is expected
 * @throws {WebAppError} if it has another shape
 */
export function readShape(shape: ReplyShape, value: unknown, problem: string): unknown {
  if (shape === 'none') return undefined
  const spelled = shape === 'text' ? value : fromWire(value, shape.names)
  if (!(shape === 'text' ? isText : shape.check)(spelled)) throw new WebAppError(problem)
  return shape !== 'text' && shape.read ? shape.read(Object(spelled)) : spelled
}

/** Names the members of a web app's answer as programs do, in whatever case they come. */
export function spellReply(name: CommandName, answer: unknown): unknown {
  const shape: ReplyShape = commandReplies[name]
  return typeof shape === 'string' ? answer : fromWire(answer, shape.names)
}

/** Whether a command answers with a list, and a value of {@link spellReply} is one: as its schema says, which takes longer. */
export function isListReply(name: CommandName, answer: unknown): boolean {
  const shape: ReplyShape = commandReplies[name]
  return typeof shape === 'object' && shape.write !== undefined && shape.check(answer)
}
