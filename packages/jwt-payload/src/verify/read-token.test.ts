import { isObject } from '@service-link/protocol-core/errors'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assertClaimDepth, countWrittenMembers, readToken } from './read-token.ts'

const header = Buffer.from('{"alg":"ES256"}').toString('base64url')

test.each([`${header}A`, `${header}.e30`, `${header}.e30.AAAA.AAAA`, `.e30.AAAA`, `${header}..AAAA`])(
  '%s is no token: it does not have three parts',
  text => {
    expect(() => readToken(text)).toThrow('three parts')
  },
)

test.each([
  `${header}&#x2B;.e30.AAAA`,
  `${header}.e30&#43;.AAAA`,
  `${header}.e30.AA&amp;`,
  `&quot;${header}`,
])('%s is told to be HTML-escaped', text => {
  expect(() => readToken(text)).toThrow('It is HTML-escaped')
})

describe('countWrittenMembers', () => {
  test.each([
    ['{}', 0],
    ['{"a":1}', 1],
    ['{"a":1,"a":2}', 2],
    ['{"a":{"b":[{"c":":"}]}}', 3],
    [String.raw`{"a\"":"\\","b:\\\"":":"}`, 2],
    ['{"__proto__":{},"__proto__":1}', 2],
    ['[1,":","\\":"]', 0],
  ])('%s has %i', (json, count) => {
    expect(countWrittenMembers(json)).toBe(count)
  })

  test('any JSON keeps its number of members, with any spacing', () => {
    const space = fc.constantFrom(undefined, 1, '\t')
    fc.assert(
      fc.property(fc.object({ maxDepth: 5, withNullPrototype: true }), space, (value, spacing) => {
        const json = JSON.stringify(value, undefined, spacing)
        const parsed: unknown = JSON.parse(json)
        expect(isObject(parsed) && assertClaimDepth(parsed)).toBe(countWrittenMembers(json))
      }),
    )
  })
})
