import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  ArgsError,
  BusyError,
  type CommandName,
  commandNames,
  commands,
  type SessionEvent,
  sessionMethods,
  writeSessionEvent,
  writeSessionFailure,
  writeSessionReply,
  writeSessionRequest,
} from '../src/index.ts'
import { type BodyInput, loadVectors } from './support/vectors.ts'

function schemaOf(name: string): z.ZodType {
  return z.fromJSONSchema(
    JSON.parse(readFileSync(new URL(`../json-schema/${name}.json`, import.meta.url), 'utf8')),
  )
}

interface Expected {
  readonly type: string
  readonly result?: unknown
}

const messages = loadVectors<BodyInput & { readonly method?: string }, Expected>('session-messages.json')
const methods = new Set<string>(Object.keys(sessionMethods))

describe('the JSON Schemas of the session mode', () => {
  const [request, reply, failure, event] = ['request', 'reply', 'failure', 'event'].map(name =>
    schemaOf(`session-${name}`),
  )
  const isTaken = (schema: z.ZodType | undefined, body: string) => schema?.safeParse(JSON.parse(body)).success

  test('accept our messages', () => {
    for (const name of [...commandNames, ...methods] as Parameters<typeof writeSessionRequest>[1][])
      expect(isTaken(request, writeSessionRequest(7, name, { id: 1 })), name).toBe(true)
    for (const id of [0, 'a']) expect(isTaken(reply, writeSessionReply(id, 'hide', undefined))).toBe(true)
    for (const error of [new BusyError('Too many.'), new ArgsError([{ path: 'id', problem: 'is missing' }])])
      expect(isTaken(failure, writeSessionFailure(null, error))).toBe(true)
    const events: readonly SessionEvent[] = [
      { event: 'personselected', data: { userid: 5 } },
      { event: 'workoutopened', data: { id: 17 } },
      { event: 'closing', data: null },
    ]
    for (const told of events) expect(isTaken(event, writeSessionEvent(told))).toBe(true)
  })

  test('refuse missing members', () => {
    for (const schema of [request, reply, failure, event]) {
      expect(isTaken(schema, '{}')).toBe(false)
      expect(isTaken(schema, '{"Id":1.5,"Method":"version","Result":1,"Error":{},"Event":"raining"}')).toBe(
        false,
      )
    }
  })

  test.each(messages.filter(hasReply))(
    'accept the result of the vector $id',
    ({ input, expect: expected }) => {
      expect(schemaOf(`${input.method}.reply`).safeParse(expected?.result).error).toBeUndefined()
    },
  )
})

/** Whether a vector is a result, and which call it answers. */
function hasReply({ input: { method }, expect: expected }: (typeof messages)[number]): boolean {
  if (expected?.type !== 'result' || method === undefined) return false
  return methods.has(method) || commands[method as CommandName].reply !== 'none'
}
