import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineWindow } from '../../src/engine.ts'
import { hasBrowser, openTestWindow, type TestWindow } from '../support/browser.ts'
import { nextEvent } from '../support/events.ts'
import { canListProcesses, killRenderers } from '../support/processes.ts'
import { serveSite } from '../support/site.ts'

const bounds = { timeoutMs: 30_000 }

/** A page script whose `receive` acts on the value. */
const pageScript = `send => {
  globalThis.__wrapperHost = {
    receive(value) {
      if (value === 'fail') throw new Error('Ola Nordmann')
      if (value === 'wait') return new Promise(() => { send('waiting') })
      if (value === 'hang') { send('hanging'); for (;;); }
      if (value === 'long') return 'x'.repeat(20_000_000)
      if (value === 'nothing') return undefined
      if (value === 'loop') { const loop = {}; return loop.loop = loop }
      return value
    },
  }
}`

describe.runIf(hasBrowser)('a call into the page', () => {
  const resources = new AsyncDisposableStack()
  let window: EngineWindow

  beforeAll(async () => {
    const site = resources.use(await serveSite({ '/': '<p>page' }))
    window = resources.use(await openTestWindow({ url: `${site.origin}/`, pageScript })).window
    await nextEvent(window, 'loaded')
  })
  afterAll(() => resources.disposeAsync())

  it.each([
    ['text of any script', 'Åse 😀 \u2028 "quoted" </script>'],
    ['nested values', { a: [1, null, { b: true }], c: {}, __proto__x: 1.5 }],
    ['a text of a million characters', 'ø'.repeat(1_000_000)],
  ])('carries %s there and back', async (_name, value) => {
    expect(await window.call(value, bounds)).toEqual(value)
  })

  it('answers undefined when the page does', async () => {
    expect(await window.call('nothing', bounds)).toBeUndefined()
  })

  it('fails without repeating the page’s error', async () => {
    const error = await window.call('fail', bounds).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: 'ERR_PAGE_CALL', fault: 'rejected' })
    expect(String(error)).not.toContain('Nordmann')
  })

  it.each([
    ['an answer that is no JSON', 'loop', 'rejected'],
    ['an answer that is too long', 'long', 'too-large'],
  ])('refuses %s, and the next call works', async (_name, value, fault) => {
    await expect(window.call(value, bounds)).rejects.toMatchObject({ fault })
    expect(await window.call('still there', bounds)).toBe('still there')
  })

  it('ends by its signal', async () => {
    const controller = new AbortController()
    const reason = new Error('given up')
    const call = window.call('wait', { timeoutMs: 60_000, signal: controller.signal })
    controller.abort(reason)
    await expect(call).rejects.toBe(reason)
    await expect(window.call('never sent', { ...bounds, signal: controller.signal })).rejects.toBe(reason)
    expect(await window.call('next', bounds)).toBe('next')
  })

  it('fails at once when the page reloads', async () => {
    const waiting = nextEvent(window, 'message', ({ value }) => value === 'waiting')
    const call = window.call('wait', { timeoutMs: 60_000 })
    const rejection = expect(call).rejects.toMatchObject({ fault: 'navigated' })
    await waiting
    const events = Promise.all([nextEvent(window, 'unloading'), nextEvent(window, 'loaded')])
    await window.reload()
    await rejection
    await events
    expect(await window.call('again', bounds)).toBe('again')
  })
})

async function openAt(origin: string): Promise<TestWindow> {
  const opened = await openTestWindow({ url: `${origin}/`, pageScript })
  await nextEvent(opened.window, 'loaded')
  return opened
}

describe.runIf(hasBrowser)('a call into a failing page', () => {
  it('is refused when the page lacks the function', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using opened = await openTestWindow({ url: `${site.origin}/` })
    await nextEvent(opened.window, 'loaded')
    await expect(opened.window.call('hello', bounds)).rejects.toMatchObject({ fault: 'no-listener' })
  })

  it('times out when the page hangs, and the window can still close', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using opened = await openAt(site.origin)
    const hanging = nextEvent(opened.window, 'message', ({ value }) => value === 'hanging')
    const call = opened.window.call('hang', { timeoutMs: 1000 })
    const rejection = expect(call).rejects.toMatchObject({ fault: 'timeout' })
    await hanging
    await rejection
  })

  it.runIf(canListProcesses)('is refused after the page crashed, and works after a reload', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using opened = await openAt(site.origin)
    const { window } = opened
    const waiting = nextEvent(window, 'message', ({ value }) => value === 'waiting')
    const crashed = nextEvent(window, 'pageCrashed')
    const call = window.call('wait', { timeoutMs: 60_000 })
    const rejection = expect(call).rejects.toMatchObject({ fault: 'crashed' })
    await waiting
    await killRenderers(opened.profileFolder)
    await crashed
    await rejection
    await expect(window.call('no', bounds)).rejects.toMatchObject({ fault: 'crashed' })
    const loaded = nextEvent(window, 'loaded')
    await window.reload()
    await loaded
    expect(await window.call('alive', bounds)).toBe('alive')
  })

  it('is refused after the window closed', async () => {
    await using site = await serveSite({ '/': '<p>page' })
    await using opened = await openAt(site.origin)
    const { window } = opened
    const waiting = nextEvent(window, 'message', ({ value }) => value === 'waiting')
    const rejection = expect(window.call('wait', { timeoutMs: 60_000 })).rejects.toMatchObject({
      fault: 'closed',
    })
    await waiting
    await window.close()
    await rejection
    await expect(window.call('late', bounds)).rejects.toMatchObject({ fault: 'closed' })
    expect(await window.windowState()).toBe('closed')
  })
})
