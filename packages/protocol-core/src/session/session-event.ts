import { z } from 'zod'
import { personInFocusSchema } from './session-status.ts'

/** One row of the table of events. */
interface EventDefinition<Data extends z.ZodType = z.ZodType> {
  /** One sentence for the documentation. */
  readonly summary: string
  /** What travels as `Data`. */
  readonly data: Data
}

function defineEvent<Data extends z.ZodType>(row: EventDefinition<Data>): EventDefinition<Data> {
  return row
}

/** An event without data. Data of a later wrapper are ignored. */
const noData = z.null().catch(null)

/** Every event that a client in session mode can subscribe to (design: pipe protocol). */
export const sessionEvents = {
  personselected: defineEvent({
    summary: 'A person has come into focus.',
    data: personInFocusSchema,
  }),
  signedin: defineEvent({ summary: 'Somebody has signed in to the web app.', data: noData }),
  signedout: defineEvent({
    summary: 'Nobody is signed in any more, and nobody is in focus.',
    data: noData,
  }),
  workoutopened: defineEvent({
    summary: 'A workout was opened because a program or a launch asked for it.',
    data: z.looseObject({ id: z.int().describe('As openworkout takes it') }),
  }),
  closing: defineEvent({
    summary: 'The wrapper is exiting. It is the last event; then the connection ends.',
    data: noData,
  }),
} as const

/** Name of an event, as it travels. */
export type SessionEventName = keyof typeof sessionEvents

/** Something that happened in the wrapper, as it travels. */
export type SessionEvent = {
  [Name in SessionEventName]: {
    readonly event: Name
    readonly data: z.output<(typeof sessionEvents)[Name]['data']>
  }
}[SessionEventName]

/** Every event name, in the table's order. */
export const sessionEventNames: readonly SessionEventName[] = Object.keys(sessionEvents).filter(isEventName)

/** The events among names as a client wrote them, without regard to case: each once, in the table's order. */
export function findEventNames(names: readonly string[]): SessionEventName[] {
  const folded = new Set(names.map(name => name.trim().toLowerCase()))
  return sessionEventNames.filter(name => folded.has(name))
}

/** Whether a text is an event's name as it travels. */
export function isEventName(text: string): text is SessionEventName {
  return Object.hasOwn(sessionEvents, text)
}
