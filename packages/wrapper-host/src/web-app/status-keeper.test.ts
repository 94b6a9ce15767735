import type { Person, SessionEvent } from '@service-link/protocol-core'
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
    page(person?: Person, isLoaded = true) {
      state = { isLoaded, isSignedIn: isLoaded, ...(person ? { personInFocus: { ...person } } : {}) }
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
  expect(keeper.status()).toEqual({ loaded: false, signedin: false, person: null })
  page(kari)
  signIn(true)
  open()
  expect(events).toEqual([
    { event: 'signedin', data: null },
    { event: 'personselected', data: told },
  ])
  expect(keeper.status()).toEqual({ loaded: true, signedin: true, person: told })
})

test('each choice is an event, even of the same person, with ids and name only', () => {
  const { keeper, names, signIn, page, events } = following()
  page()
  signIn(true)
  page(kari)
  page(kari)
  page({ userId: 0, firstname: 'Ola', lastname: 'Ås', dateOfBirth: '1980-04-03' })
  expect(names()).toEqual(['signedin', 'personselected', 'personselected', 'personselected'])
  expect(events.at(-1)?.data).toEqual({ userId: 0, firstname: 'Ola', lastname: 'Ås' })
  expect(keeper.status().person).toEqual({ userId: 0, firstname: 'Ola', lastname: 'Ås' })
})

test('a reloaded page with the same person in focus is no event; one without a person clears it', () => {
  const { keeper, names, signIn, page } = following()
  signIn(true)
  page(kari)
  page(undefined, false)
  expect(keeper.status()).toEqual({ loaded: false, signedin: true, person: told })
  page(kari)
  expect(names()).toEqual(['signedin', 'personselected'])
  page(undefined, false)
  page()
  expect(keeper.status().person).toBeNull()
  page(kari)
  expect(names()).toEqual(['signedin', 'personselected', 'personselected'])
})

test('a sign-out clears the person, and the former page’s later messages are ignored', () => {
  const { keeper, names, signIn, page } = following()
  signIn(true)
  page(kari)
  signIn(false)
  page({ ...kari, customId: '4712' })
  expect(keeper.status()).toEqual({ loaded: true, signedin: false, person: null })
  signIn(true)
  expect(keeper.status().person).toBeNull()
  expect(names()).toEqual(['signedin', 'personselected', 'signedout', 'signedin'])
})

test('closing is the last event', () => {
  const { keeper, names, signIn, page } = following()
  signIn(true)
  page(kari)
  keeper.noteClosing()
  keeper.noteClosing()
  keeper.noteCarriedOut({ name: 'openworkout', args: { id: 1 } })
  signIn(false)
  page()
  expect(names()).toEqual(['signedin', 'personselected', 'closing'])
})
