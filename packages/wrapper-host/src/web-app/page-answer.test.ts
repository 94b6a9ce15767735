import { describe, expect, it } from 'vitest'
import { readPageAnswer } from './page-answer.ts'

const result = (value: unknown) => ({ type: 'result', value })
const failure = (code: string, message: string, issues?: unknown) => ({
  type: 'failure',
  code,
  message,
  issues,
})

describe('readPageAnswer', () => {
  it('checks a reply by the command table, and keeps members that it does not know', () => {
    const workouts = [{ id: 3, name: 'Knee', own: [1] }]
    expect(readPageAnswer('getworkoutsforclient', result(workouts))).toEqual(workouts)
    expect(readPageAnswer('getlistofusers', result([]))).toEqual([])
  })

  it.each(['openworkout', 'setcustomid', 'queryexercises', 'queryworkouts'] as const)(
    'takes anything for the end of %s, which answers with nothing',
    name => {
      expect(readPageAnswer(name, { type: 'result' })).toBeUndefined()
      expect(readPageAnswer(name, result({ any: 'thing' }))).toBeUndefined()
    },
  )

  it.each([
    ['ERR_NOT_FOUND', 'There is no such workout.'],
    ['ERR_WEB_APP', 'The service is down.'],
  ])('passes a refusal on with its code and message: %s', (code, message) => {
    expect(() => readPageAnswer('openworkout', failure(code, message))).toThrow(
      expect.objectContaining({ code, message }),
    )
  })

  it('passes on that nobody is signed in, in its own words', () => {
    expect(() => readPageAnswer('openworkout', failure('ERR_NOT_SIGNED_IN', 'x'))).toThrow(
      expect.objectContaining({ code: 'ERR_NOT_SIGNED_IN', message: expect.stringContaining('Sign in') }),
    )
  })

  it('names the arguments that a page refuses', () => {
    const issues = [{ path: 'customid', problem: 'is unknown' }]
    expect(() => readPageAnswer('setcustomid', failure('ERR_ARGS', 'x', issues))).toThrow(
      expect.objectContaining({ code: 'ERR_ARGS', issues }),
    )
    expect(() => readPageAnswer('setcustomid', failure('ERR_ARGS', 'is not acceptable'))).toThrow(
      expect.objectContaining({ issues: [{ path: '', problem: 'is not acceptable' }] }),
    )
  })

  it('shortens a long message and takes control characters out', () => {
    expect(() =>
      readPageAnswer('openworkout', failure('ERR_NOT_FOUND', `a\r\nb\0${'x'.repeat(9999)}`)),
    ).toThrow(expect.objectContaining({ message: expect.stringMatching(/^a b x{1,500}$/) }))
  })

  it('says where a reply has another shape, without its values', () => {
    const reply = { status: 'chosen', userid: '17', customid: 'a-1 Nordmann' }
    expect(() => readPageAnswer('selectperson', result(reply))).toThrow(
      expect.objectContaining({ code: 'ERR_WEB_APP', message: expect.stringMatching(/status.*userid/) }),
    )
    expect(() => readPageAnswer('selectperson', result(reply))).not.toThrow(/Nordmann|chosen|17/)
  })

  it.each([undefined, null, 5, 'text', {}, { type: 'other' }, failure('ERR_MADE_UP', 'x')])(
    'refuses %j, which is no answer',
    value => {
      expect(() => readPageAnswer('openworkout', value)).toThrow(
        expect.objectContaining({ code: 'ERR_WEB_APP' }),
      )
    },
  )

  it('says that a page is there which has not connected', () => {
    expect(() => readPageAnswer('openworkout', { type: 'notConnected' })).toThrow(/not connected/)
  })
})
