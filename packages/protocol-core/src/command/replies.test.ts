import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { sessionEvents, sessionMethods } from '../session/session-table.ts'
import { fromWire } from '../text/wire-names.ts'
import { type CommandReply, commands } from './command-table.ts'
import { commandReplies, eventData, methodReplies, type ReplyShape, readShape } from './replies.ts'

const shapes: Readonly<Record<string, ReplyShape>> = { ...commandReplies, ...methodReplies, ...eventData }

/** A client takes more than the schema of `selectperson` says: any object. */
const strictCommands = Object.entries(commands).filter(([name]) => name !== 'selectperson')

const schemas: [string, CommandReply][] = [
  ...strictCommands.map(([name, { reply }]): [string, CommandReply] => [name, reply]),
  ...Object.entries(sessionMethods).map(([name, { reply }]): [string, CommandReply] => [name, reply]),
  ...Object.entries(sessionEvents).map(([name, { data }]): [string, CommandReply] => [
    name,
    z.safeParse(data, 'anything').data === null ? 'none' : data,
  ]),
]

/** A value that a schema takes, or nearly: members of any schema, of the right kind or of any. */
const value = fc.oneof(
  fc.integer({ min: -1, max: 2 }),
  fc.constantFrom(null, undefined, 1.5, 2 ** 53, '', 'selected', 'created', '\0', '\ud800', 'x'.repeat(4097)),
  fc.boolean(),
  fc.array(fc.constantFrom('a', 1, null), { maxLength: 2 }),
  fc.jsonValue(),
)

function objectOf(schema: z.ZodMiniType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodMiniArray)
    return fc.oneof(
      { weight: 9, arbitrary: fc.array(objectOf(schema.def.element as z.ZodMiniType), { maxLength: 2 }) },
      value,
    )
  if (!(schema instanceof z.ZodMiniObject)) return value
  const members = Object.entries(schema.shape).map(([name, member]) => {
    const inner = innermost(member)
    const likely = fc
      .constantFrom<unknown>('selected', 'launch', 'in', 'classic', 1, true, ['a'])
      .filter(one => z.safeParse(member, one).success)
    const isDeep =
      inner instanceof z.ZodMiniObject ||
      (inner instanceof z.ZodMiniArray &&
        [z.ZodMiniObject, z.ZodMiniArray].some(kind => inner.def.element instanceof kind))
    return [name, fc.oneof({ weight: 12, arbitrary: isDeep ? objectOf(inner) : likely }, value)] as const
  })
  return fc.record({ ...Object.fromEntries(members), later: value }, { noNullPrototype: true })
}

function innermost(schema: z.core.$ZodType): z.ZodMiniType {
  const isWrapped = schema instanceof z.ZodMiniNullable || schema instanceof z.ZodMiniOptional
  return isWrapped ? innermost(schema.def.innerType) : (schema as z.ZodMiniType)
}

function isTaken(shape: ReplyShape, given: unknown): boolean {
  try {
    readShape(shape, given, 'is refused')
    return true
  } catch {
    return false
  }
}

describe('a client’s checks agree with the schemas', () => {
  test('of each command, method and event', () => {
    expect(schemas.map(([name]) => name)).toEqual(Object.keys(shapes).filter(name => name !== 'selectperson'))
  })

  test.each(schemas)('%s', (name, schema) => {
    const shape = shapes[name] ?? 'none'
    if (typeof schema === 'string') return expect(shape).toBe(schema)
    let takenCount = 0
    fc.assert(
      fc.property(objectOf(schema), given => {
        // The wrapper spells a web app's list before a schema reads it.
        const isList = typeof shape === 'object' && shape.write
        const spelled = isList ? fromWire(given, shape.names) : given
        const isRight = z.safeParse(schema, spelled).success
        if (isRight) takenCount++
        expect(isTaken(shape, given)).toBe(isRight)
      }),
      { numRuns: 1000 },
    )
    expect(takenCount).toBeGreaterThan(20)
  })
})
