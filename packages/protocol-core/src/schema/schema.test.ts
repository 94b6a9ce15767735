import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { jsonSchemaOf } from '../../scripts/json-schema.ts'
import { described, factsOf, withJson } from './facts.ts'
import { anyCase } from './names.ts'
import { looseObject, object, strictObject } from './object.ts'
import { readBy } from './read.ts'

describe('a compiled object is one of zod/mini', () => {
  const shape = { id: z.int(), name: z.optional(z.string()) }

  test('that leaves out, keeps or refuses further members', () => {
    const sent = { id: 1, other: 2 }
    expect(readBy(object(shape), sent)).toEqual({ value: { id: 1 } })
    expect(readBy(looseObject(shape), sent)).toEqual({ value: sent })
    expect(readBy(strictObject(shape), sent).issues).toEqual([{ path: 'other', problem: 'is not known' }])
  })

  test('also once it was extended, picked from or checked', () => {
    const schemas = [
      z.extend(object(shape), { more: z.int() }),
      z.pick(object(shape), { id: true }),
      object(shape).check(z.refine(() => true)),
    ]
    for (const schema of schemas) {
      expect(schema).toBeInstanceOf(z.ZodMiniObject)
      expect(schema._zod.traits).toContain('$ZodObjectJIT')
    }
  })

  test('and works where code is not made from text', () => {
    const program = `
      import { object } from ${JSON.stringify(new URL('./object.ts', import.meta.url))}
      import * as z from 'zod/mini'
      console.log(object({ id: z.int() }).safeParse({ id: 1 }).success)`
    const options = ['--disallow-code-generation-from-strings', '--input-type=module', '--eval', program]
    const { stdout } = spawnSync(process.execPath, options, { cwd: import.meta.dirname, encoding: 'utf8' })
    expect(stdout.trim()).toBe('true')
  })
})

test('a page makes no code from text, so that its policy has nothing to report', () => {
  const program = `
    globalThis.process = undefined
    globalThis.Function = class { constructor() { throw new Error('code from text') } }
    const { object } = await import(${JSON.stringify(new URL('./object.ts', import.meta.url))})
    console.log(object({}).safeParse({}).success, object({})._zod.traits.has('$ZodObjectJIT'))`
  const options = ['--input-type=module', '--eval', program]
  const { stdout } = spawnSync(process.execPath, options, { cwd: import.meta.dirname, encoding: 'utf8' })
  expect(stdout.trim()).toBe('true false')
})

test('facts follow a schema through copies and checks, and into its JSON Schema', () => {
  const schema = described(withJson(z.string(), { maxLength: 5 }), 'A name')
  const checked = schema.check(z.refine(() => true))
  expect(factsOf(checked)).toEqual({ description: 'A name', json: { maxLength: 5 } })
  expect(factsOf(described(checked, 'Another'))).toEqual({ description: 'Another', json: { maxLength: 5 } })
  expect(jsonSchemaOf(object({ name: z.optional(schema) }))).toMatchObject({
    properties: { name: { type: 'string', maxLength: 5, description: 'A name' } },
  })
})

test('names in another case become those of the schema, and none changes the prototype', () => {
  const sent = JSON.parse('{"ID":1,"Own":2,"__proto__":{"name":"x"}}')
  expect(readBy(anyCase(looseObject({ id: z.int(), name: z.optional(z.string()) })), sent)).toEqual({
    value: { id: 1, Own: 2 },
  })
})

test('a missing value is told from one of a wrong type', () => {
  const schema = object({ text: z.string(), count: z.int() })
  expect(readBy(schema, { count: 'x' }).issues).toEqual([
    { path: 'text', problem: 'is missing' },
    { path: 'count', problem: 'must be a number' },
  ])
})
