import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { WrapperEvent } from '../../src/log/events.ts'
import { ConnectionWatch } from '../../src/web-app/watch-connection.ts'
import { fakeEngine } from '../support/fake-engine.ts'
import { openingOf } from '../support/opening.ts'

const origin = 'https://app.example'
const loaded = { url: `${origin}/start?person=kari` }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The watch over a window, a second before it reports. */
async function watched() {
  const engine = fakeEngine()
  const events: WrapperEvent[] = []
  const state = { isLoaded: false, isSignedIn: false }
  const report = (event: WrapperEvent) => void events.push(event)
  const window = await engine.open(openingOf(loaded.url))
  const watch = new ConnectionWatch(window, { bridge: { state }, origin, timeoutMs: 1000, report })
  return { emit: engine.emit, events, state, [Symbol.dispose]: () => watch[Symbol.dispose]() }
}

test('a page that has loaded and does not connect is reported once, without path and query', async () => {
  using page = await watched()
  page.emit('loaded', loaded)
  vi.advanceTimersByTime(999)
  expect(page.events).toEqual([])
  vi.advanceTimersByTime(1)
  page.emit('loaded', loaded)
  vi.advanceTimersByTime(5000)
  expect(page.events).toEqual([{ type: 'web-app-unconnected', origin }])
})

test('a page that connects, is of another origin or has gone is not', async () => {
  using page = await watched()
  page.emit('loaded', { url: 'https://login.example/' })
  vi.advanceTimersByTime(5000)
  page.emit('loaded', loaded)
  page.emit('unloading', {})
  vi.advanceTimersByTime(5000)
  page.emit('loaded', loaded)
  page.state.isLoaded = true
  vi.advanceTimersByTime(5000)
  expect(page.events).toEqual([])
})
