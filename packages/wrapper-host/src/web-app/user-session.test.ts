import { type EngineWindow, EventListeners } from '@service-link/window-engine'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Bridge, BridgeEvents, BridgeState } from './bridge.ts'
import { SessionKeeper, SignInState } from './user-session.ts'

const noPage = { isLoaded: false, isSignedIn: false }
const logIn = { isLoaded: true, isSignedIn: false }
const signedIn = { isLoaded: true, isSignedIn: true }

/** A window whose session the test sets. */
function watched() {
  const listeners = new EventListeners<BridgeEvents>()
  const at = { state: noPage as BridgeState, user: 'A' }
  const bridge = {
    get state() {
      return at.state
    },
    on: listeners.on.bind(listeners),
  } as unknown as Bridge
  const window = {
    saveSession: async () => ({ engine: 'a', data: at.user }),
  } as unknown as EngineWindow
  const signIn = new SignInState(bridge, { report: () => undefined })
  const keeper = new SessionKeeper()
  keeper.watch({ window, bridge, signIn })
  return {
    at,
    signIn,
    keeper,
    async become(...states: readonly BridgeState[]) {
      for (const state of states) {
        at.state = state
        listeners.emit('stateChanged', state)
      }
      await Promise.resolve()
      await Promise.resolve()
    },
  }
}

describe('SessionKeeper', () => {
  let one: ReturnType<typeof watched>
  beforeEach(async () => {
    one = watched()
    await one.become(logIn, signedIn)
    expect(one.keeper.snapshot?.data).toBe('A')
    return () => {
      one.keeper[Symbol.dispose]()
      one.signIn[Symbol.dispose]()
    }
  })

  test('keeps it across a reload', async () => {
    await one.become(noPage)
    expect(one.keeper.snapshot?.data).toBe('A')
  })

  test('takes the next document’s, whose user may differ', async () => {
    await one.become(noPage, logIn)
    expect(one.keeper.snapshot).toBeUndefined()
    one.at.user = 'B'
    await one.become(signedIn)
    expect(one.keeper.snapshot?.data).toBe('B')
  })

  test('takes that of a document that is signed in from the start', async () => {
    one.at.user = 'B'
    await one.become(noPage, signedIn)
    expect(one.keeper.snapshot?.data).toBe('B')
  })

  test('keeps none of a document whose session was ended, until it is gone or continues', async () => {
    one.keeper.end()
    await one.become({ ...signedIn, personInFocus: { customId: '4711' } })
    expect(one.keeper.snapshot).toBeUndefined()
    one.keeper.resume()
    await one.become()
    expect(one.keeper.snapshot?.data).toBe('A')
  })

  test('keeps none of a page during its sign-out, even if the page claims one', async () => {
    one.signIn.end('tray')
    await one.become(noPage, logIn, signedIn)
    expect([one.signIn.isSignedIn, one.keeper.snapshot]).toEqual([false, undefined])
    one.signIn.noteCleared({ isPageNew: false })
    await one.become({ ...signedIn, personInFocus: { customId: '4711' } })
    expect([one.signIn.isSignedIn, one.keeper.snapshot]).toEqual([false, undefined])
    one.at.user = 'B'
    await one.become(noPage, logIn, signedIn)
    expect(one.keeper.snapshot?.data).toBe('B')
  })
})
