import {
  type Engine,
  EngineError,
  type OpenWindowOptions,
  type SessionSnapshot,
} from '@service-link/window-engine'
import { describe, expect, test, vi } from 'vitest'
import type { WrapperEvent } from '../../src/log/events.ts'
import { createMemoryEngine } from '../../src/testing/memory-engine.ts'
import { keepWindow } from '../../src/window/keep-window.ts'
import { ReturnAddress } from '../../src/window/return-address.ts'
import { fakeEngine } from '../support/fake-engine.ts'
import { emptyWorld, openingOf } from '../support/opening.ts'

const soon = { timeout: 60_000 }
const url = 'https://app.example/'
const options = openingOf(url)

/** A kept window in memory whose next openings fail as often as given. */
async function kept(session?: SessionSnapshot, more: Partial<OpenWindowOptions> = {}) {
  const memory = createMemoryEngine(emptyWorld, { isSignedIn: false })
  let failures = 0
  const opened: string[] = []
  const engine: Engine = {
    name: 'Flaky',
    probe: memory.probe,
    async open(windowOptions) {
      opened.push(windowOptions.url)
      if (failures-- > 0) throw new EngineError('not-available', 'The browser is being updated.')
      return memory.open(windowOptions)
    },
  }
  const events: WrapperEvent['type'][] = []
  const window = await keepWindow({
    engine,
    window: { ...options, ...more },
    returnAddress: new ReturnAddress(url),
    session: { snapshot: session, drop: () => undefined },
    report: ({ type }) => void events.push(type),
    firstPauseMs: 1,
  })
  const ends: unknown[] = []
  window.on('closed', event => void ends.push(event))
  return {
    window,
    memory,
    opened,
    events,
    ends,
    lose(failuresAfterwards = 0) {
      failures = failuresAfterwards
      memory.window?.lose()
    },
    [Symbol.asyncDispose]: () => window.close(),
  }
}

describe('a window that outlives its engine', () => {
  test('reopens as soon as the engine can, at its last address', async () => {
    await using one = await kept()
    await one.window.navigate(`${url}persons/17`)
    one.lose(3)
    await one.window.show()
    expect(one.opened).toEqual([url, ...Array(4).fill(`${url}persons/17`)])
    expect(one.events).toEqual(['engine-lost', 'engine-restarted'])
    expect(one.ends).toEqual([])
  })

  test('of a kiosk comes back when its user ends the browser, and is never minimized', async () => {
    await using one = await kept(undefined, { isKiosk: true })
    await one.window.minimise()
    await one.window.hide()
    expect(one.memory.window?.state).toBe('normal')
    await one.memory.window?.close()
    await one.window.show()
    expect([one.opened, one.ends]).toEqual([[url, url], []])
    await one.window.close()
    expect(one.ends).toEqual([{ isLost: false }])
  })

  test('is lost when the engine never can', async () => {
    await using one = await kept()
    const shown = one.window.show()
    await shown
    one.lose(100)
    await expect(one.window.show()).rejects.toMatchObject({ fault: 'gone' })
    expect(one.ends).toEqual([{ isLost: true }])
    expect(one.events).toEqual(['engine-lost', 'engine-given-up'])
    expect(await one.window.windowState()).toBe('closed')
  })

  test('continues without an unavailable session', async () => {
    await using one = await kept({ engine: 'another', data: null })
    one.lose()
    await one.window.show()
    expect(one.events).toEqual(['engine-lost', 'engine-restarted'])
  })

  test('ends in between when it is closed, and opens no more', async () => {
    await using one = await kept()
    one.lose(2)
    await one.window.close()
    expect(one.ends).toEqual([{ isLost: false }])
    await expect(one.window.show()).rejects.toMatchObject({ fault: 'gone' })
    await expect(one.window.ping({ timeoutMs: 60_000 })).rejects.toMatchObject({ fault: 'closed' })
  })

  test.each(['normal', 'minimised'])(
    'is exchanged for one in the same state to end a session: %s',
    async state => {
      const session = { engine: 'Memory', data: { isSignedIn: true } }
      await using one = await kept(session)
      const first = one.memory.window
      if (!first) throw new Error('There is no window.')
      // By its user, which no event says.
      if (state === 'minimised') await first.minimise()
      first.changeAppearance({ placement: { left: 1, top: 2, width: 300, height: 400 }, zoom: 1.5 })
      await one.window.endSession()
      expect([first.state, one.memory.window?.state]).toEqual(['closed', state])
      expect([one.events, one.ends, one.opened]).toEqual([[], [], [url, url]])
      expect(one.memory.window?.session.isSignedIn).toBe(false)
    },
  )

  test('goes on, and the log says so, when files of the former window are left', async () => {
    await using one = await kept()
    const first = one.memory.window
    if (!first) throw new Error('There is no window.')
    const end = first.close.bind(first)
    vi.spyOn(first, 'close').mockImplementation(async () => {
      await end()
      throw new EngineError('data-left', 'The browser’s profile could not be removed (EBUSY).')
    })
    await one.window.endSession()
    expect(one.events).toEqual(['sign-out-failed'])
    expect(await one.window.windowState()).toBe('normal')
  })

  test.each([
    ['is closed meanwhile', async () => undefined, 'gone', []],
    [
      'cannot be closed',
      () => Promise.reject(new EngineError('timeout', 'It did not answer.')),
      'timeout',
      ['sign-out-failed'],
    ],
  ])('gives up to end a session when it %s', async (_, close, fault, events) => {
    await using one = await kept()
    const first = one.memory.window
    if (!first) throw new Error('There is no window.')
    vi.spyOn(first, 'close').mockImplementationOnce(close)
    const ending = one.window.endSession()
    if (fault === 'gone') await one.window.close()
    await expect(ending).rejects.toMatchObject({ fault })
    expect(one.events).toEqual(events)
  })

  test('distinguishes a page lost with its engine from a closed window', async () => {
    await using one = await kept()
    const unloaded = vi.fn()
    one.window.on('unloading', unloaded)
    one.lose(1)
    expect(unloaded).toHaveBeenCalled()
    await expect(one.window.call({}, { timeoutMs: 60_000 })).rejects.toMatchObject({ fault: 'crashed' })
    await expect(one.window.restartPage()).rejects.toMatchObject({ fault: 'gone' })
    await vi.waitFor(() => expect(one.events).toContain('engine-restarted'), soon)
  })
})

test('an engine that cannot hide its window minimizes it, and the log says so once', async () => {
  const events: WrapperEvent[] = []
  const engine = fakeEngine()
  await using window = await keepWindow({
    engine,
    window: options,
    returnAddress: new ReturnAddress(url),
    session: { snapshot: undefined, drop: () => undefined },
    report: event => void events.push(event),
  })
  window.setTrayShown(true)
  const minimised = vi.spyOn(await engine.open(options), 'minimise')
  await window.hide()
  await window.hide()
  expect(minimised).toHaveBeenCalledTimes(2)
  expect(events).toEqual([{ type: 'window-unhidable', engine: 'fake' }])
})
