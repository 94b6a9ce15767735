import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BodyInput, bytesOf, loadVectors, replyAsVector, thrownBy } from '../../test/support/vectors.ts'
import { commands } from '../command/command-table.ts'
import type { SessionId } from '../envelope/request-envelope.ts'
import { ArgsError, BusyError, commandErrorCodes } from '../errors/command-error.ts'
import { VersionError } from '../wrapper/four-part-version.ts'
import {
  readSessionMessage,
  readSessionResult,
  type SessionCallName,
  writeSessionEvent,
  writeSessionFailure,
  writeSessionReply,
} from './session-message.ts'
import { type SessionEvent, sessionEventNames, sessionEvents, sessionMethods } from './session-table.ts'

interface ExpectedMessage {
  readonly type: 'result' | 'failure' | 'event' | 'unknown-event'
  readonly id?: SessionId | null
  readonly [member: string]: unknown
}

const vectors = loadVectors<BodyInput & { readonly method?: SessionCallName }, ExpectedMessage>(
  'session-messages.json',
)

/** Reads a body like a client, in the form of the vectors. */
function read({ method, ...input }: BodyInput & { readonly method?: SessionCallName }): ExpectedMessage {
  const message = readSessionMessage(bytesOf(input))
  switch (message.type) {
    case 'result': {
      const { id, result: sent, warnings } = message
      const { reply } = { ...commands, ...sessionMethods }[method ?? 'version']
      const result = method ? replyAsVector(reply, readSessionResult(method, sent)) : sent
      return { type: 'result', id, result, ...(warnings ? { warnings } : {}) }
    }
    case 'failure':
      return { type: 'failure', id: message.id, ...message.failure }
    case 'event': {
      const { event, data } = message.event
      return { type: 'event', event, data: replyAsVector(sessionEvents[event].data, data) }
    }
    case 'unknown-event':
      return { type: 'unknown-event' }
  }
}

describe('a message of the session mode', () => {
  test.each(vectors)('$id: $name', ({ input, expect: expected, error }) => {
    if (error) {
      expect(thrownBy(() => read(input))).toMatchObject({ code: error.code })
      return
    }
    const message = read(input)
    const isUnsaid = expected?.type === 'failure' && expected.message === undefined
    expect(message).toEqual(isUnsaid ? { ...expected, message: expect.stringMatching(/\.$/) } : expected)
  })

  test('every code and every event has a vector', () => {
    const read = (member: 'code' | 'event') => new Set(vectors.map(vector => vector.expect?.[member]))
    const codes = read('code')
    expect(commandErrorCodes.filter(code => !codes.has(code))).toEqual([])
    const events = read('event')
    expect(sessionEventNames.filter(event => !events.has(event))).toEqual([])
  })

  test('the web app’s extra members and results are read at any depth', () => {
    const deep = `${'[{"a":'.repeat(100_000)}0${'}]'.repeat(100_000)}`
    const message = readSessionMessage(bytesOf({ body: `{"Id":1,"Result":[{"id":5,"own":${deep}}]}` }))
    const result = message.type === 'result' ? message.result : undefined
    for (const name of ['getlistofusers', 'getworkoutsforclient'] as const)
      expect(readSessionResult(name, result)).toMatchObject([{ id: 5, own: [{}] }])
    expect(thrownBy(() => readSessionResult('selectperson', result))).toMatchObject({ code: 'ERR_WEB_APP' })
  })

  test('any JSON is accepted or refused with a command’s code', () => {
    const members = fc.constantFrom('Id', 'Result', 'Error', 'Event', 'Data', 'x')
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom(1, 'a', null, ...sessionEventNames))
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), fc.dictionary(members, values)), body => {
        try {
          readSessionMessage(bytesOf({ body: JSON.stringify(body) }))
        } catch (error) {
          expect(error).toMatchObject({ code: 'ERR_WEB_APP' })
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('writeSessionReply', () => {
  test('writes a missing result as null', () => {
    expect(writeSessionReply(1, 'hide', undefined)).toBe('{"Id":1,"Result":null}')
  })

  test('adds the warnings, at most 100', () => {
    const warning = { path: 'gender', problem: 'must be F or M' }
    const { length } = writeSessionReply(
      1,
      'hide',
      null,
      Array.from({ length: 101 }, () => warning),
    )
    expect(length).toBe(
      '{"Id":1,"Result":null,"Warnings":[]}'.length + 100 * JSON.stringify(warning).length + 99,
    )
  })
})

describe('writeSessionFailure', () => {
  test('a written failure is read back, with its details', () => {
    const read = (body: string) => readSessionMessage(bytesOf({ body }))
    expect(read(writeSessionFailure(null, new BusyError('Too many.')))).toEqual({
      type: 'failure',
      id: null,
      failure: { code: 'ERR_BUSY', message: 'Too many.', details: undefined },
    })
    const issues = [{ path: 'id', problem: 'is missing' }]
    expect(read(writeSessionFailure('a', new ArgsError(issues)))).toMatchObject({
      id: 'a',
      failure: { code: 'ERR_ARGS', details: { issues } },
    })
  })

  test('a code that is no command’s travels as ERR_WEB_APP', () => {
    expect(JSON.parse(writeSessionFailure(1, new VersionError()))).toMatchObject({
      Error: { Code: 'ERR_WEB_APP' },
    })
  })

  test('thousands of faults still make a short message', () => {
    const issues = Array.from({ length: 10_000 }, (_, at) => ({ path: `p.${at}`, problem: 'is missing' }))
    const { Error: error } = JSON.parse(writeSessionFailure(1, new ArgsError(issues)))
    expect(error.Details.issues).toEqual(issues.slice(0, 100))
    expect(error.Message).toContain('9990 more')
  })
})

test('writeSessionEvent: a written event is read back', () => {
  const events: readonly SessionEvent[] = [
    { event: 'personselected', data: { userId: 5, customId: null, firstname: 'Kåre', focusNumber: 2 } },
    { event: 'personcleared', data: { reason: 'journal', focusNumber: 3 } },
    { event: 'signedin', data: null },
    { event: 'signedout', data: { reason: 'partnerlocked' } },
    { event: 'workoutopened', data: { id: 17 } },
    { event: 'closing', data: null },
  ]
  expect(events.map(({ event }) => event)).toEqual(sessionEventNames)
  for (const event of events)
    expect(readSessionMessage(bytesOf({ body: writeSessionEvent(event) }))).toEqual({ type: 'event', event })
})
