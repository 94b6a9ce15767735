import { EventListeners } from '@service-link/window-engine'
import { expect, test, vi } from 'vitest'
import type { Bridge, BridgeEvents } from '../../src/web-app/bridge.ts'
import { watchConnection } from '../../src/web-app/watch-service.ts'
import { ReturnAddress } from '../../src/window/return-address.ts'
import { fakeEngine } from '../support/fake-engine.ts'

const soon = { timeout: 60_000 }
const url = 'https://app.example/'
const posted = `${url}partner/payload`

/** A window and a bridge of which the test tells the events, and where the window was led. */
async function watched(connectMs = 1) {
  const engine = fakeEngine()
  const window = await engine.open({
    url,
    profileFolder: '/',
    userAgentSuffix: '',
    pageScript: '',
    allowedOrigins: [],
  })
  const navigate = vi.spyOn(window, 'navigate')
  const listeners = new EventListeners<BridgeEvents>()
  const state = { isLoaded: false, isSignedIn: false }
  const bridge = { state, on: listeners.on.bind(listeners) } as Partial<Bridge> as Bridge
  const returnAddress = new ReturnAddress(url)
  returnAddress.notePosted(posted)
  const watch = watchConnection({ window, bridge, returnAddress, connectMs })
  const set = (isLoaded: boolean) => {
    state.isLoaded = isLoaded
    listeners.emit('stateChanged', { ...state })
  }
  return {
    navigate,
    connect: () => set(true),
    load(address: string) {
      set(false)
      engine.emit('unloading', {})
      engine.emit('loaded', { url: address })
    },
    [Symbol.dispose]: () => watch[Symbol.dispose](),
  }
}

test('a page that was posted to and does not connect when it is loaded again gives way to the web app', async () => {
  using page = await watched()
  page.load(posted)
  page.connect()
  page.load(posted)
  await vi.waitFor(() => expect(page.navigate).toHaveBeenCalledExactlyOnceWith(url), soon)
})

test('it does so, too, when its user loads it again in vain', async () => {
  using page = await watched(50)
  page.load(posted)
  page.connect()
  for (const _ of [1, 2, 3]) page.load(posted)
  await vi.waitFor(() => expect(page.navigate).toHaveBeenCalledExactlyOnceWith(url), soon)
})

test.each([
  ['connects again', [posted, posted], true],
  ['was not posted to: it may be a log-in', [`${url}log-in`, `${url}log-in`], false],
  ['is the answer to the form itself', [url, posted], false],
])('a page is left alone that %s', async (_title, [first = '', second = ''], connectsAgain) => {
  using page = await watched(20)
  page.load(first)
  page.connect()
  page.load(second)
  if (connectsAgain) page.connect()
  // A page of another window, which begins to wait later, is led away first.
  using other = await watched(20)
  other.load(posted)
  other.connect()
  other.load(posted)
  await vi.waitFor(() => expect(other.navigate).toHaveBeenCalled(), soon)
  expect(page.navigate).not.toHaveBeenCalled()
})
