import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asVector,
  type BodyInput,
  bytesOf,
  type CodedFailure,
  loadVectors,
} from '../../test/support/vectors.ts'
import { commandNames } from '../command/command-table.ts'
import {
  decodeRequest,
  maxSessionIdLength,
  type SessionId,
  sessionIdSchema,
} from '../envelope/request-envelope.ts'
import type { ArgsError, ArgsIssue } from '../errors/command-error.ts'
import { isSessionMethod, parseClassicCommand, parseSessionCall } from './parse-request.ts'
import { type SessionCallName, writeSessionRequest } from './session-message.ts'
import { type SessionMethodName, sessionEventNames, sessionMethods } from './session-table.ts'

const methodNames = Object.keys(sessionMethods) as SessionMethodName[]

const vectors = loadVectors<
  BodyInput & { readonly culture: string },
  {
    readonly id: SessionId | null
    readonly name: SessionCallName
    readonly args: object
    readonly dropped?: readonly string[]
  },
  CodedFailure & { readonly id: SessionId | null }
>('session-requests.json')

/** Reads a request like a server: a failure after the id carries the id. */
function read(input: BodyInput & { readonly culture: string }) {
  let id: SessionId | null = null
  const dropped: string[] = []
  const options = { culture: input.culture, onDropped: ({ path }: ArgsIssue) => dropped.push(path) }
  try {
    const envelope = decodeRequest(bytesOf(input))
    id = envelope.id ?? null
    const call = id === null ? parseClassicCommand(envelope, options) : parseSessionCall(envelope, options)
    return { id, call: { ...asVector(call), ...(dropped.length > 0 ? { dropped } : {}) } }
  } catch (failure) {
    return { id, failure }
  }
}

describe('a request of the session mode', () => {
  test.each(vectors)('$id: $name', ({ input, expect: expected, error }) => {
    const { id, call, failure } = read(input)
    expect(failure).toEqual(error && expect.objectContaining({ code: error.code }))
    if (error?.paths) expect((failure as ArgsError).issues.map(({ path }) => path)).toEqual(error.paths)
    expect({ id, ...call }).toEqual(error ? { id: error.id } : expected)
  })

  test('every command and every method has a vector', () => {
    const taken = new Set(vectors.map(({ expect: expected }) => expected?.name))
    expect([...commandNames, ...methodNames].filter(name => !taken.has(name))).toEqual([])
  })

  test('an unknown method is told all commands and methods', () => {
    const { failure } = read({ body: '{"Id":1,"Method":"explode"}', culture: 'nb-NO' })
    expect((failure as Error).message).toContain([...methodNames, ...commandNames].join(', '))
  })

  test.each([...methodNames, 'queryexercises', 'queryworkouts'])(
    'without an id %s, in any case, is told to have one',
    name => {
      for (const method of [name, ` ${name.toUpperCase()} `]) {
        const { failure } = read({ body: JSON.stringify({ Method: method }), culture: 'nb-NO' })
        expect(failure).toMatchObject({
          code: 'ERR_METHOD',
          message: expect.stringContaining('not for the classic mode of the pipe: give the request an Id'),
        })
      }
    },
  )

  test('no name is both a method and a command', () => {
    for (const name of methodNames) expect(commandNames).not.toContain(name)
    expect(isSessionMethod({ name: 'hello', args: {} })).toBe(true)
    expect(isSessionMethod({ name: 'version', args: {} })).toBe(false)
  })
})

const ids = fc.oneof(
  fc.maxSafeInteger(),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: maxSessionIdLength })
    .filter(id => sessionIdSchema.safeParse(id).success),
)

describe('writeSessionRequest', () => {
  test('writes Id and Method, and Args only when there are any', () => {
    expect(writeSessionRequest(7, 'hello')).toBe('{"Id":7,"Method":"hello"}')
    expect(writeSessionRequest('a', 'getlistofusers', { customid: undefined })).toBe(
      '{"Id":"a","Method":"getlistofusers"}',
    )
    expect(writeSessionRequest(-1, 'openworkout', { id: 17 })).toBe(
      '{"Id":-1,"Method":"openworkout","Args":{"id":17}}',
    )
  })

  test('a written request is read back', () => {
    const calls = fc.oneof(
      fc.record({ name: fc.constant('cancel' as const), args: fc.record({ id: ids }) }),
      fc.record({ name: fc.constant('openworkout' as const), args: fc.record({ id: fc.maxSafeInteger() }) }),
      fc.record({
        name: fc.constant('subscribe' as const),
        args: fc.record({ events: fc.subarray([...sessionEventNames]) }),
      }),
      fc.record({
        name: fc.constant('queryexercises' as const),
        args: fc.record({ text: fc.string({ unit: 'grapheme', maxLength: 50 }).map(text => `x${text}x`) }),
      }),
    )
    fc.assert(
      fc.property(ids, calls, (id, { name, args }) => {
        const envelope = decodeRequest(bytesOf({ body: writeSessionRequest(id, name, args) }))
        expect(envelope.id).toBe(id)
        expect(parseSessionCall(envelope, { culture: 'nb-NO' })).toEqual({ name, args })
      }),
    )
  })
})

test('any JSON is accepted or refused with a command’s code', () => {
  const member = fc.constantFrom('Id', 'id', 'Method', 'method', 'Args', 'ARGS', 'x')
  const value = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom(...methodNames, ...commandNames),
    fc.dictionary(fc.constantFrom('id', 'events', 'text', 'customid', 'userid'), fc.jsonValue()),
  )
  const members = fc.oneof(fc.jsonValue(), fc.dictionary(member, value))
  const fixed = fc.record({ Id: ids, Method: fc.constantFrom(...methodNames, ...commandNames), Args: value })
  fc.assert(
    fc.property(fc.oneof(members, fixed), body => {
      const { failure } = read({ body: JSON.stringify(body), culture: 'nb-NO' })
      if (failure) expect(failure).toMatchObject({ code: expect.stringMatching(/^ERR_(JSON|ARGS|METHOD)$/) })
    }),
    { numRuns: 500 },
  )
})
