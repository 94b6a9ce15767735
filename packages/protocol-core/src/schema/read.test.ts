import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { commands } from '../command/command-table.ts'
import { selectPersonAnswerSchema } from '../command/select-person.ts'
import { contactSchema, payloadSchema } from '../person/payload.ts'
import { personSchema } from '../person/person.ts'
import { sessionMethods } from '../session/session-table.ts'
import { launchSchema } from '../wrapper/hand-off.ts'
import { issuesOf } from './read.ts'

function issuesIn(schema: z.ZodMiniType, value: unknown, options: { reportInput?: boolean } = {}) {
  const { error } = schema.safeParse(value, options)
  return error ? issuesOf(error) : []
}

test('names each member unknown to a strict object', () => {
  const schema = z.object({ person: z.strictObject({ customId: z.optional(z.string()) }) })
  expect(issuesIn(schema, { person: { customid: 'x', name: 'y' } })).toEqual([
    { path: 'person.customid', problem: 'is not known' },
    { path: 'person.name', problem: 'is not known' },
  ])
})

describe('each refusal is a clause in our words with its place,', () => {
  const { localeError } = z.config()
  afterEach(() => {
    z.config({ localeError })
  })

  test.each<[schema: z.ZodMiniType, value: unknown, path: string, problem: string]>([
    [
      commands.selectperson.args,
      { userid: '9007199254740993' },
      'userid',
      'must be at most 9007199254740991',
    ],
    [commands.selectperson.args, { userid: 1.5 }, 'userid', 'must be an integer'],
    [commands.selectperson.args, { userid: -1 }, 'userid', 'must not be negative'],
    [commands.openworkout.args, { id: '-9007199254740993' }, 'id', 'must be at least -9007199254740991'],
    [commands.openworkout.args, { id: 2 ** 53 }, 'id', 'must be at most 9007199254740991'],
    [commands.openworkout.args, {}, 'id', 'is missing'],
    [sessionMethods.cancel.args, { id: '' }, 'id', 'must be an integer or a text of 1 to 64 characters'],
    [sessionMethods.cancel.args, { id: 2 ** 53 }, 'id', 'must be at most 9007199254740991'],
    [sessionMethods.subscribe.args, { events: [7] }, 'events.0', 'must be a string'],
    [personSchema, { userId: -1 }, 'userId', 'must be at least 0'],
    [personSchema, { userId: 1.5 }, 'userId', 'must be an integer'],
    [personSchema, { userId: 2 ** 53 }, 'userId', 'must be at most 9007199254740991'],
    [personSchema, { gender: 'x' }, 'gender', 'must be one of female, male'],
    [payloadSchema, 7, '', 'must be an object'],
    [
      selectPersonAnswerSchema,
      { status: 'x', userId: 1, customId: '' },
      'status',
      'must be one of selected, created',
    ],
    [launchSchema, { id: 'x', argv: [], workingDirectory: 'x' }, 'id', 'must be a UUID'],
    [
      launchSchema,
      { id: crypto.randomUUID(), argv: [], workingDirectory: '' },
      'workingDirectory',
      'is empty',
    ],
    [
      launchSchema,
      { id: crypto.randomUUID(), argv: Array(1025).fill('x'), workingDirectory: '/' },
      'argv',
      'has more than 1024 entries',
    ],
    [
      z.object({ name: z.string().check(z.maxLength(3)) }),
      { name: 'long' },
      'name',
      'is longer than 3 characters',
    ],
    [
      z.object({ name: z.string().check(z.minLength(3)) }),
      { name: 'ab' },
      'name',
      'is shorter than 3 characters',
    ],
    [
      z.object({ list: z.array(z.int()).check(z.minLength(1)) }),
      { list: [] },
      'list',
      'has fewer than 1 entries',
    ],
    [z.object({ at: z.url() }), { at: 'x' }, 'at', 'must be a URL'],
    [z.object({ any: z.int().check(z.multipleOf(5)) }), { any: 7 }, 'any', 'is not acceptable'],
  ])('row %#', (schema, value, path, problem) => {
    for (const locale of [z.locales.en(), z.locales.no(), z.locales.ja(), { localeError: undefined }]) {
      z.config(locale)
      expect(issuesIn(schema, value, { reportInput: true })).toContainEqual({ path, problem })
    }
  })

  const ours =
    /^(is (missing|empty|not known|not acceptable|given twice|longer|shorter|a number|no date|before|after|more)|must (be|not)|has (more|fewer|a name)|holds )/
  const schemas = new Map<string, z.ZodMiniType>([
    ['payload', payloadSchema],
    ['contact', contactSchema],
    ['person', personSchema],
    ['launch', launchSchema],
    ...Object.entries({ ...commands, ...sessionMethods }).flatMap(([name, { args, reply }]) => [
      [`${name}, arguments`, args] as const,
      ...(typeof reply === 'object' ? [[`${name}, reply`, reply] as const] : []),
    ]),
  ])
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '-1', '9007199254740993', 'x'.repeat(4097)),
  )
  const value = fc.oneof(fc.jsonValue(), text, fc.double(), fc.constant(undefined))

  test.each([...schemas])('for any fault of %s', (_name, schema) => {
    const names = 'shape' in schema ? Object.keys(schema.shape as object) : []
    const input = names.length > 0 ? fc.record(Object.fromEntries(names.map(name => [name, value]))) : value
    fc.assert(
      fc.property(fc.oneof(input, fc.array(input, { maxLength: 2 }), value), given => {
        for (const { problem } of issuesIn(schema, given, { reportInput: true }))
          expect(problem).toMatch(ours)
      }),
      { numRuns: 300 },
    )
  })
})
