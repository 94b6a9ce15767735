import { describe, expect, it } from 'vitest'
import { nextPageState, noPage, type PageState, type PageStateEvent, readPageAnswer } from './read-page.ts'

const person = { customId: 'a-1', firstname: 'Kari' }
const hello: PageStateEvent = {
  type: 'hello',
  protocol: 1,
  handlers: ['openWorkout'],
  isSignedIn: false,
}
const after = (...events: readonly PageStateEvent[]): PageState => events.reduce(nextPageState, noPage)

describe('nextPageState', () => {
  it.each<[string, readonly PageStateEvent[], Partial<PageState>]>([
    ['nothing said', [], { isLoaded: false, isSignedIn: false }],
    ['hello', [hello], { isLoaded: true, isSignedIn: false }],
    [
      'hello of one that is signed in',
      [{ ...hello, isSignedIn: true }],
      { isLoaded: true, isSignedIn: true },
    ],
    ['signing in', [hello, { type: 'signedIn' }], { isLoaded: true, isSignedIn: true }],
    ['signing out', [hello, { type: 'signedIn' }, { type: 'signedOut' }], { isSignedIn: false }],
    ['signing in before hello', [{ type: 'signedIn' }], { isLoaded: false, isSignedIn: false }],
    ['going away', [hello, { type: 'signedIn' }, { type: 'gone' }], { isLoaded: false, isSignedIn: false }],
    [
      'coming back',
      [hello, { type: 'signedIn' }, { type: 'gone' }, hello],
      { isLoaded: true, isSignedIn: false },
    ],
  ])('knows the page after %s', (_name, events, expected) => {
    expect(after(...events)).toMatchObject(expected)
  })

  it('keeps the person in focus until the page signs out or goes away', () => {
    const selected = [hello, { type: 'signedIn' }, { type: 'personSelected', person }] as const
    expect(after(...selected).personInFocus).toEqual(person)
    expect(after(...selected, { type: 'signedOut' }).personInFocus).toBeUndefined()
    expect(after(...selected, { type: 'gone' }).personInFocus).toBeUndefined()
    expect(after(...selected, { ...hello, isSignedIn: true }).personInFocus).toBeUndefined()
  })

  it('accepts the person of a page that says hello again, except when signed out', () => {
    expect(after({ ...hello, isSignedIn: true, person }).personInFocus).toEqual(person)
    expect(after({ ...hello, person }).personInFocus).toBeUndefined()
  })

  it('accepts no person without a session: the next user has not chosen them', () => {
    const late = after(hello, { type: 'signedIn' }, { type: 'signedOut' }, { type: 'personSelected', person })
    expect(late.personInFocus).toBeUndefined()
    expect(nextPageState(late, { type: 'signedIn' }).personInFocus).toBeUndefined()
  })

  it('is the same object when nothing changes, so no listener runs', () => {
    const signedIn = after(hello, { type: 'signedIn' })
    expect(nextPageState(signedIn, { type: 'signedIn' })).toBe(signedIn)
    expect(nextPageState(noPage, { type: 'gone' })).toBe(noPage)
    expect(nextPageState(noPage, { type: 'personSelected', person })).toBe(noPage)
    const signedOut = after(hello)
    expect(nextPageState(signedOut, { type: 'signedOut' })).toBe(signedOut)
  })
})

const result = (value: unknown) => ({ type: 'result', value })
const failure = (code: string, message: string, issues?: unknown) => ({
  type: 'failure',
  code,
  message,
  issues,
})

describe('readPageAnswer', () => {
  it('checks a reply by the command table, and keeps unknown members', () => {
    const workouts = [{ id: 3, name: 'Knee', own: [1] }]
    expect(readPageAnswer('getworkoutsforclient', result(workouts))).toEqual(workouts)
    expect(readPageAnswer('getlistofusers', result([]))).toEqual([])
    expect(readPageAnswer('getlistofusers', result([{ Id: 1, CUSTOMID: 'a', Own: 2 }]))).toEqual([
      { id: 1, customId: 'a', Own: 2 },
    ])
    const selected = { Status: 'created', UserId: 12, customid: 'p' }
    expect(readPageAnswer('selectperson', result(selected))).toEqual({
      status: 'created',
      userId: 12,
      customId: 'p',
    })
    expect(() => readPageAnswer('getworkoutsforclient', result([{ Id: 1, Owner: 'Mette' }]))).toThrow('owner')
  })

  it.each(['openworkout', 'setcustomid', 'queryexercises', 'queryworkouts'] as const)(
    'accepts any end of %s, which has no reply',
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

  it('passes a missing sign-in on, in its own words', () => {
    expect(() => readPageAnswer('openworkout', failure('ERR_NOT_SIGNED_IN', 'x'))).toThrow(
      expect.objectContaining({ code: 'ERR_NOT_SIGNED_IN', message: expect.stringContaining('Sign in') }),
    )
  })

  it('names the arguments that a page refuses', () => {
    const issues = [{ path: 'customId', problem: 'is unknown' }]
    expect(() => readPageAnswer('setcustomid', failure('ERR_ARGS', 'x', issues))).toThrow(
      expect.objectContaining({ code: 'ERR_ARGS', issues: [{ path: 'customid', problem: 'is unknown' }] }),
    )
    expect(() => readPageAnswer('setcustomid', failure('ERR_ARGS', 'is not acceptable'))).toThrow(
      expect.objectContaining({ issues: [{ path: '', problem: 'is not acceptable' }] }),
    )
  })

  it('shortens a long message and removes control characters', () => {
    expect(() =>
      readPageAnswer('openworkout', failure('ERR_NOT_FOUND', `a\r\nb\0${'x'.repeat(9999)}`)),
    ).toThrow(expect.objectContaining({ message: expect.stringMatching(/^a b x{1,500}$/) }))
  })

  it('names the place of a wrong shape in a reply, without its values', () => {
    const reply = { status: 'chosen', userId: '17', customId: 'a-1 Nordmann' }
    expect(() => readPageAnswer('selectperson', result(reply))).toThrow(
      expect.objectContaining({ code: 'ERR_WEB_APP', message: expect.stringMatching(/status.*userId/) }),
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

  it('reports a page that has not connected', () => {
    expect(() => readPageAnswer('openworkout', { type: 'notConnected' })).toThrow(/not connected/)
  })
})
