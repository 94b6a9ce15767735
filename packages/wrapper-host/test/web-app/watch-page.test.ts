import { afterEach, describe, expect, test, vi } from 'vitest'
import type { WrapperEvent } from '../../src/log/events.ts'
import { createMemoryEngine } from '../../src/testing/memory-engine.ts'
import { loadTexts } from '../../src/texts/load-texts.ts'
import { PageWatch, type PageWatchOptions, RestartPace } from '../../src/web-app/watch-page.ts'
import { ReturnAddress } from '../../src/window/return-address.ts'
import { emptyWorld, openingOf } from '../support/opening.ts'

const soon = { timeout: 60_000 }
const url = 'https://app.example/'
const texts = await loadTexts({ displayName: 'Acme', language: 'en', culture: '' })

/** A window in memory, its page's watch, and the recorded events. */
async function watched(options: Partial<PageWatchOptions> = {}) {
  const engine = createMemoryEngine(emptyWorld, { isSignedIn: true })
  await engine.open(openingOf(url))
  const { window } = engine
  if (!window) throw new Error('There is no window.')
  await window.begun
  const events: WrapperEvent['type'][] = []
  const watch = new PageWatch(window, {
    texts,
    returnAddress: new ReturnAddress(url),
    report: ({ type }) => void events.push(type),
    isDebug: false,
    everyMs: 60_000,
    answerMs: 20,
    ...options,
  })
  return {
    window,
    watch,
    events,
    async [Symbol.asyncDispose]() {
      watch[Symbol.dispose]()
      await window.close()
    },
  }
}

describe('the watch over a page', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  test('restarts a hanging page by itself', async () => {
    await using page = await watched({ everyMs: 10 })
    page.window.hang()
    await vi.waitFor(() => expect(page.events).toEqual(['page-hung', 'page-restarted']), { timeout: 60_000 })
    await page.window.ping({ timeoutMs: 60_000 })
  })

  test('restarts a suspected page at once, and reports it', async () => {
    await using page = await watched()
    page.window.hang()
    const [first, second] = await Promise.all([page.watch.check(), page.watch.check()])
    expect([first, second]).toEqual([true, true])
    expect(page.events).toEqual(['page-hung', 'page-restarted'])
  })

  test('restarts it at a safe address', async () => {
    const returnAddress = new ReturnAddress(url)
    await using page = await watched({ returnAddress })
    returnAddress.noteLoaded(`${url}person`)
    const loaded: string[] = []
    page.window.on('loaded', event => void loaded.push(event.url))
    page.window.load(`${url}partner/payload`)
    page.window.crash()
    await vi.waitFor(() => expect(page.events).toContain('page-restarted'), { timeout: 60_000 })
    expect(loaded.at(-1)).toBe(`${url}person`)
  })

  test('leaves a page alone that answers', async () => {
    await using page = await watched()
    expect(await page.watch.check()).toBe(false)
    expect(page.events).toEqual([])
  })

  test('leaves a page alone that is being debugged', async () => {
    await using page = await watched({ isDebug: true, everyMs: 1 })
    const ping = vi.spyOn(page.window, 'ping')
    page.window.hang()
    expect(await page.watch.check()).toBe(false)
    expect(ping).not.toHaveBeenCalled()
  })

  test('waits after three crashes, retries by itself, and waits longer after each further one', async () => {
    await using page = await watched({ pace: { firstPauseMs: 1, longestPauseMs: 1 } })
    const restarts = (count: number) =>
      vi.waitFor(() => {
        expect(page.events.filter(type => type === 'page-restarted')).toHaveLength(count)
      }, soon)
    for (const count of [1, 2, 3, 4]) {
      page.window.crash()
      await restarts(count)
    }
    expect(page.events.filter(type => type === 'page-given-up')).toHaveLength(2)
    expect(page.window.ownPage).toBeUndefined()
  })

  test('retries at once when its user presses the button', async () => {
    vi.spyOn(RestartPace.prototype, 'noteFault').mockReturnValue(600_000)
    await using page = await watched()
    page.window.crash()
    await vi.waitFor(() => page.window.pressButton('restart-page'), soon)
    await vi.waitFor(() => expect(page.events).toContain('page-restarted'), soon)
    expect(page.window.ownPage).toBeUndefined()
  })

  test('reports a page that hangs at every load', async () => {
    await using page = await watched({ everyMs: 1, answerMs: 1 })
    page.window.on('loaded', () => page.window.hang())
    page.window.hang()
    await vi.waitFor(() => expect(page.window.ownPage?.title).toBe('Acme cannot be shown'), soon)
    const hung = page.events.filter(type => type === 'page-hung')
    expect(hung).toHaveLength(3)
  })

  test('leaves it to another navigation in progress', async () => {
    vi.spyOn(RestartPace.prototype, 'noteFault').mockReturnValue(600_000)
    await using page = await watched()
    page.window.crash()
    await vi.waitFor(() => expect(page.window.ownPage).toBeDefined(), soon)
    await page.window.navigate(url)
    expect(page.window.ownPage).toBeUndefined()
    page.window.crash()
    await vi.waitFor(() => expect(page.window.ownPage).toBeDefined(), soon)
    expect(page.events.filter(type => type === 'page-given-up')).toHaveLength(2)
  })

  test('ends with the window', async () => {
    await using page = await watched({ everyMs: 1 })
    await page.window.close()
    expect(await page.watch.check()).toBe(false)
    expect(page.events).toEqual([])
  })
})

/** The pauses in seconds, by a test clock, after faults at given seconds. */
function pausesAfter(...faults: readonly number[]) {
  let seconds = 0
  const pace = new RestartPace({ now: () => seconds * 1000, random: () => 1 })
  return faults.map(time => {
    seconds = time
    const pause = pace.noteFault() / 1000
    seconds += pause
    pace.noteRestart()
    return pause
  })
}

test.each<[string, readonly number[], readonly number[]]>([
  ['at once after two faults, and after a pause at the third', [0, 10, 20], [0, 0, 30]],
  ['at once each time when faults are two minutes apart', [0, 120, 240, 360], [0, 0, 0, 0]],
  ['after a pause when it hangs at every load, in rounds of 40 seconds', [40, 81, 122, 193], [0, 0, 30, 60]],
  [
    'after pauses up to ten minutes',
    [0, 1, 2, 40, 110, 240, 490, 980, 1590],
    [0, 0, 30, 60, 120, 240, 480, 600, 600],
  ],
  ['at once again after two minutes without a fault', [0, 1, 2, 152, 153, 154], [0, 0, 30, 0, 0, 30]],
])('a page is restarted %s', (_title, faults, pauses) => {
  expect(pausesAfter(...faults)).toEqual(pauses)
})
