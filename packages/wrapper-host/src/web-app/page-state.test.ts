import { describe, expect, it } from 'vitest'
import { nextPageState, noPage, type PageState, type PageStateEvent } from './page-state.ts'

const person = { customId: 'a-1', firstname: 'Kari' }
const hello: PageStateEvent = { type: 'hello', handlers: ['openWorkout'], isSignedIn: false }
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

  it('takes the person of a page that says hello again, but of none that is signed out', () => {
    expect(after({ ...hello, isSignedIn: true, person }).personInFocus).toEqual(person)
    expect(after({ ...hello, person }).personInFocus).toBeUndefined()
  })

  it('takes no person while nobody is signed in: the next user has not chosen them', () => {
    const late = after(hello, { type: 'signedIn' }, { type: 'signedOut' }, { type: 'personSelected', person })
    expect(late.personInFocus).toBeUndefined()
    expect(nextPageState(late, { type: 'signedIn' }).personInFocus).toBeUndefined()
  })

  it('is the same object when nothing changes, so that nobody is told', () => {
    const signedIn = after(hello, { type: 'signedIn' })
    expect(nextPageState(signedIn, { type: 'signedIn' })).toBe(signedIn)
    expect(nextPageState(noPage, { type: 'gone' })).toBe(noPage)
    expect(nextPageState(noPage, { type: 'personSelected', person })).toBe(noPage)
    const signedOut = after(hello)
    expect(nextPageState(signedOut, { type: 'signedOut' })).toBe(signedOut)
  })
})
