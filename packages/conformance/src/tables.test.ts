import { createHash } from 'node:crypto'
import list from '@service-link/vectors/requirements.json' with { type: 'json' }
import { expect, test } from 'vitest'
import frozen from '../requirements-1.json' with { type: 'json' }
import { scenariosOf } from './run-conformance.ts'

test('no requirement of version 1 has changed or gone', () => {
  const digests = new Map(
    list.requirements.map(({ id, text }) => [
      id,
      createHash('sha256').update(text).digest('hex').slice(0, 16),
    ]),
  )
  const kept = Object.keys(frozen.requirements).map(id => [id, digests.get(id)])
  expect(Object.fromEntries(kept)).toEqual(frozen.requirements)
})

test.each(Object.entries(scenariosOf))(
  'each scenario of a %s has its own id, and requirements of version 1',
  (_role, table) => {
    const ids = table.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, spec, requirements } of table) {
      expect([
        id,
        requirements.filter(requirement => !Object.hasOwn(frozen.requirements, requirement)),
      ]).toEqual([id, []])
      expect(spec).toMatch(/^(\d(\.\d)?|(reference|guides|errors)\/[a-z-]*)$/)
      expect(requirements).not.toEqual([])
    }
  },
)
