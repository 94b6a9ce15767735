import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { selectPersonReplySchema } from '../command/select-person.ts'
import { payloadSchema } from '../record/payload.ts'
import { workoutSchema } from '../record/workout.ts'
import { issuesOf } from './issues.ts'

function issuesIn(schema: z.ZodType, value: unknown, options: { reportInput?: boolean } = {}) {
  const { error } = schema.safeParse(value, options)
  return error ? issuesOf(error) : []
}

describe('issuesOf', () => {
  const { localeError } = z.config()
  afterEach(() => {
    z.config({ localeError })
  })

  test.each([
    ['English', z.locales.en()],
    ['Norwegian', z.locales.no()],
    ['Japanese', z.locales.ja()],
  ])('says what is missing when the host program has zod speak %s', (_, locale) => {
    z.config(locale)
    const reply = { status: 'selected', customid: '4711' }
    expect(issuesIn(selectPersonReplySchema, reply)).toEqual([{ path: 'userid', problem: 'is missing' }])
    expect(issuesIn(payloadSchema, { organizationId: '1', employeeId: '2' })).toEqual([
      { path: 'contact', problem: 'is missing' },
    ])
    expect(issuesIn(workoutSchema, {})).toEqual([{ path: 'id', problem: 'is missing' }])
    const foreign = z.object({ text: z.string(), count: z.int() })
    expect(issuesIn(foreign, { count: 'x' }, { reportInput: true })).toEqual([
      { path: 'text', problem: 'is missing' },
      { path: 'count', problem: 'must be a number' },
    ])
    expect(issuesIn(foreign, { text: 1, count: 1 })).toEqual([{ path: 'text', problem: 'must be a string' }])
  })

  test('names each member that a strict object does not know', () => {
    const schema = z.object({ person: z.strictObject({ customId: z.string().optional() }) })
    expect(issuesIn(schema, { person: { customid: 'x', name: 'y' } })).toEqual([
      { path: 'person.customid', problem: 'is not known' },
      { path: 'person.name', problem: 'is not known' },
    ])
  })
})
