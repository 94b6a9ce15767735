import { EventListeners } from '@service-link/window-engine'
import { expect, test, vi } from 'vitest'
import type { Bridge, BridgeEvents } from '../../src/web-app/bridge.ts'
import { watchConnection } from '../../src/web-app/watch-service.ts'
import { ReturnAddress } from '../../src/window/return-address.ts'
import { fakeEngine } from '../support/fake-engine.ts'

const soon = { timeout: 60_000 }
const url = 'https://app.example/'
const posted = `${url}partner/payload`

/** A window and a bridge whose events the test sends, and the window's navigations. */
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

test('a posted page that reloads without connecting is replaced by the web app', async () => {
  using page = await watched()
  page.load(posted)
  page.connect()
  page.load(posted)
  await vi.waitFor(() => expect(page.navigate).toHaveBeenCalledExactlyOnceWith(url), soon)
})

test('also when its user reloads it in vain', async () => {
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
  // A page of another window that begins its wait later is navigated first.
  using other = await watched(20)
  other.load(posted)
  other.connect()
  other.load(posted)
  await vi.waitFor(() => expect(other.navigate).toHaveBeenCalled(), soon)
  expect(page.navigate).not.toHaveBeenCalled()
})
