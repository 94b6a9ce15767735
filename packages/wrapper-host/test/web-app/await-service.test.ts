import { expect, test, vi } from 'vitest'
import type { WrapperEvent } from '../../src/log/events.ts'
import { loadTexts } from '../../src/texts/load-texts.ts'
import { ServiceWait } from '../../src/web-app/watch-service.ts'
import { ReturnAddress } from '../../src/window/return-address.ts'
import { fakeEngine } from '../support/fake-engine.ts'
import { openingOf } from '../support/opening.ts'

const soon = { timeout: 60_000 }
const url = 'https://app.example/'
const texts = await loadTexts({ displayName: 'Acme', language: 'en', culture: '' })

/** A wait whose window sends no events by itself. */
async function waited(firstDocumentMs: number) {
  const engine = fakeEngine()
  const window = await engine.open(openingOf(url))
  const shown = vi.spyOn(window, 'showOwnPage')
  const navigate = vi.spyOn(window, 'navigate')
  const events: WrapperEvent['type'][] = []
  const wait = new ServiceWait(window, {
    texts,
    returnAddress: new ReturnAddress(url),
    report: ({ type }) => void events.push(type),
    firstPauseMs: 1,
    longestPauseMs: 1,
    firstDocumentMs,
  })
  return {
    engine,
    shown,
    navigate,
    events,
    [Symbol.dispose]: () => wait[Symbol.dispose](),
  }
}

test('a service that connects and never answers counts as unreachable', async () => {
  using page = await waited(1)
  await vi.waitFor(() => expect(page.navigate).toHaveBeenCalledWith(url), soon)
  expect(page.shown).toHaveBeenCalledWith(
    expect.objectContaining({
      title: 'Acme cannot be reached',
      paragraphs: [texts.unreachableReason, 'No answer in time.'],
    }),
  )
  page.engine.emit('loaded', { url })
  expect(page.events).toEqual(['page-unreachable', 'page-reachable'])
})

test.each(['loaded', 'message', 'unloading'] as const)('one with any answer does not (%s)', async name => {
  using page = await waited(20)
  page.engine.emit(name, { url, value: {}, origin: url })
  // A wait that began later has ended.
  using other = await waited(20)
  await vi.waitFor(() => expect(other.events).toEqual(['page-unreachable']), soon)
  expect(page.events).toEqual([])
})
