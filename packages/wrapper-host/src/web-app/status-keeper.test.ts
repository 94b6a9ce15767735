import { type Person, type SessionEvent, SupersededError } from '@service-link/protocol-core'
import { EventListeners } from '@service-link/window-engine'
import { expect, test } from 'vitest'
import type { BridgeState } from './bridge.ts'
import { type FollowedWindow, StatusKeeper } from './status-keeper.ts'

const kari: Person = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann', ssn: '03048012345' }
const told = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }

/** A keeper, its events, and a window whose page messages and sign-in the test controls. */
function following({ isOpen = true } = {}) {
  const pages = new EventListeners<{ stateChanged: BridgeState }>()
  const signIns = new EventListeners<{ changed: { readonly isSignedIn: boolean } }>()
  let state: BridgeState = { isLoaded: false, isSignedIn: false }
  let isSignedIn = false
  const window: FollowedWindow = {
    bridge: {
      get state() {
        return state
      },
      on: pages.on.bind(pages) as FollowedWindow['bridge']['on'],
    },
    signIn: {
      get isSignedIn() {
        return isSignedIn
      },
      on: signIns.on.bind(signIns) as FollowedWindow['signIn']['on'],
    },
  }
  const keeper = new StatusKeeper()
  const events: SessionEvent[] = []
  keeper.on(event => events.push(event))
  if (isOpen) keeper.follow(window)
  return {
    keeper,
    events,
    names: () => events.map(({ event }) => event),
    /** A page message, with a new person object each time. */
    page(person?: Person, isLoaded = true, isSignedIn = isLoaded) {
      state = { isLoaded, isSignedIn, ...(person ? { personInFocus: { ...person } } : {}) }
      pages.emit('stateChanged', state)
    },
    signIn(is: boolean) {
      isSignedIn = is
      signIns.emit('changed', { isSignedIn })
    },
    open: () => keeper.follow(window),
  }
}

test('before the window is open nothing is loaded and nobody is signed in', () => {
  const { keeper, open, signIn, page, events } = following({ isOpen: false })
  expect(keeper.status()).toEqual({ loaded: false, signedin: false, person: null, focusNumber: 0 })
  page(kari)
  signIn(true)
  open()
  expect(events).toEqual([
    { event: 'signedin', data: null },
    { event: 'personselected', data: { ...told, focusNumber: 1 } },
  ])
  expect(keeper.status()).toEqual({ loaded: true, signedin: true, person: told, focusNumber: 1 })
})

test('each choice is an event, even of the same person, with ids and name only', () => {
  const { keeper, names, signIn, page, events } = following()
  page()
  signIn(true)
  page(kari)
  page(kari)
  page({ userId: 0, firstname: 'Ola', lastname: 'Ås', dateOfBirth: '1980-04-03' })
  expect(names()).toEqual(['signedin', 'personselected', 'personselected', 'personselected'])
  expect(events.at(-1)?.data).toEqual({ userId: 0, firstname: 'Ola', lastname: 'Ås', focusNumber: 3 })
  expect(keeper.status().person).toEqual({ userId: 0, firstname: 'Ola', lastname: 'Ås' })
})

test('a reloaded page with the same person in focus is no event; one without a person clears it', () => {
  const { keeper, events, names, signIn, page } = following()
  signIn(true)
  page(kari)
  page(undefined, false)
  expect(keeper.status()).toEqual({ loaded: false, signedin: true, person: told, focusNumber: 1 })
  page(kari)
  expect(names()).toEqual(['signedin', 'personselected'])
  page(undefined, false)
  page()
  expect(keeper.status().person).toBeNull()
  page(kari)
  expect(events.slice(2)).toEqual([
    { event: 'personcleared', data: { reason: undefined, focusNumber: 2 } },
    { event: 'personselected', data: { ...told, focusNumber: 3 } },
  ])
})

test('a reloaded page that says later who is signed in shows nobody until then', () => {
  const { keeper, events, signIn, page } = following()
  signIn(true)
  page(kari)
  page(undefined, false)
  page(undefined, true, false)
  expect(keeper.status()).toEqual({ loaded: true, signedin: true, person: null, focusNumber: 2 })
  page()
  page(kari)
  expect(events.slice(2)).toEqual([
    { event: 'personcleared', data: { reason: undefined, focusNumber: 2 } },
    { event: 'personselected', data: { ...told, focusNumber: 3 } },
  ])
})

test('a sign-out clears the person, and the former page’s later messages are ignored', () => {
  const { keeper, names, signIn, page } = following()
  signIn(true)
  page(kari)
  signIn(false)
  page({ ...kari, customId: '4712' })
  expect(keeper.status()).toEqual({ loaded: true, signedin: false, person: null, focusNumber: 2 })
  signIn(true)
  expect(keeper.status().person).toBeNull()
  expect(names()).toEqual(['signedin', 'personselected', 'signedout', 'signedin'])
})

test('a selection is told with its number, unless somebody else is in focus by then', () => {
  const { keeper, signIn, page } = following()
  signIn(true)
  page({ userId: 5, customId: '4711' })
  const select = { name: 'selectperson', args: kari } as const
  const answer = { status: 'selected', userId: 5, customId: '4711' } as const
  expect(keeper.noteCarriedOut(select, answer)).toEqual({ ...answer, focusNumber: 1 })
  page({ userId: 6, customId: '4711' })
  expect(() => keeper.noteCarriedOut(select, answer)).toThrow(SupersededError)
  page()
  expect(() => keeper.noteCarriedOut(select, answer)).toThrow(SupersededError)
})

test('closing is the last event', () => {
  const { keeper, names, signIn, page } = following()
  signIn(true)
  page(kari)
  keeper.noteClosing()
  keeper.noteClosing()
  keeper.noteCarriedOut({ name: 'openworkout', args: { id: 1 } }, undefined)
  signIn(false)
  page()
  expect(names()).toEqual(['signedin', 'personselected', 'closing'])
})
