import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineWindow } from '../src/window/engine.ts'
import type { OwnPage, WindowNotice } from '../src/window/own-content.ts'
import { hasBrowser } from './_window-browser.ts'
import { bounds, openDesk, polling, type TestDesk } from './_window-desk.ts'
import { hasDisplay } from './_window-display.ts'
import { nextEvent } from './_window-events.ts'

const ownPage: OwnPage = {
  title: 'Unreachable',
  paragraphs: ['Check the network.'],
  buttons: [
    { action: 'retry', label: 'Try again' },
    { action: 'close', label: 'Close' },
  ],
}
const notice: WindowNotice = { text: 'A newer version', followLabel: 'Download', dismissLabel: 'Dismiss' }
const strict = `default-src 'none'; script-src 'unsafe-inline'; require-trusted-types-for 'script'`
const hostile = `<meta charset=utf-8><title>Hostile</title><style>
* { display: none !important; opacity: 0 !important; position: static !important; transform: scale(0) !important;
  height: 0 !important; animation: x 1s infinite !important }
html, body { display: block !important; opacity: 1 !important; height: 100% !important; transform: none !important }
[popover], ::backdrop { visibility: hidden !important; clip-path: inset(50%) !important }
</style><body>app`

describe.runIf(hasBrowser && hasDisplay)('what the wrapper shows by itself', () => {
  let desk: TestDesk
  beforeAll(async () => {
    desk = await openDesk({
      '/': '<meta charset=utf-8><title>Main</title><p>app',
      '/strict': {
        headers: { 'content-security-policy': strict },
        body: '<meta charset=utf-8><title>Strict</title><p>app',
      },
      '/hostile': hostile,
    })
  })
  afterAll(() => desk?.[Symbol.asyncDispose]())

  /** The element at the top of the page, as the page can see it. */
  const topElement = (window: EngineWindow) =>
    window.call(
      `(() => { const found = document.elementFromPoint(40, 12); const { width, height, top } = found.getBoundingClientRect()
return [found.localName, found.shadowRoot, top, width >= document.documentElement.clientWidth, height > 20 && height < 80] })()`,
      bounds,
    )
  const shown = ['div', null, 0, true, true]

  describe('a page of its own', () => {
    it.each([
      ['its first button, which has the keyboard', ['Return'], 'retry'],
      ['another by the keyboard', ['Tab', 'space'], 'close'],
      ['F5, for the first', ['F5'], 'retry'],
    ])('tells of %s', async (_name, keys, action) => {
      await using opened = await desk.open('/', 'Main')
      const { window } = opened
      await window.showOwnPage(ownPage)
      await desk.isActive('Unreachable')
      const actions: string[] = []
      window.on('ownPageAction', event => void actions.push(event.action))
      // The page may be there a moment before its keyboard; then the keys are pressed again.
      const press = async () => {
        if (!actions.includes(action)) for (const key of keys) await desk.press(key)
        return actions
      }
      await expect.poll(press, { timeout: 60_000, interval: 1000 }).toContain(action)
      const loaded = nextEvent(window, 'loaded')
      await window.reload()
      expect(await loaded).toEqual({ url: `${desk.site.origin}/` })
    })
  })

  describe('a notice', () => {
    it.each([
      ['a page', '/', 'Main'],
      ['a page with a strict policy', '/strict', 'Strict'],
    ])('is above %s, also after a reload, until it is put away', async (_name, path, title) => {
      await using opened = await desk.open(path, title)
      const { window } = opened
      await window.setNotice(notice)
      await expect.poll(() => topElement(window), polling).toEqual(shown)
      const loaded = nextEvent(window, 'loaded')
      await window.reload()
      await loaded
      await expect.poll(() => topElement(window), polling).toEqual(shown)
      await window.setNotice(undefined)
      await expect.poll(() => topElement(window), polling).not.toEqual(shown)
    })

    it('is above a page whose styles hide everything, and comes back when it is taken out', async () => {
      await using opened = await desk.open('/hostile', 'Hostile')
      const { window } = opened
      await window.setNotice(notice)
      await expect.poll(() => topElement(window), polling).toEqual(shown)
      await window.call('document.documentElement.lastElementChild.remove()', bounds)
      expect(await topElement(window)).not.toEqual(shown)
      await expect.poll(() => topElement(window), polling).toEqual(shown)
    })

    it.each([
      ['followed', ['Tab', 'Return'], 'follow'],
      ['put away', ['Tab', 'Tab', 'space'], 'dismiss'],
    ])('is %s by the keyboard, and stays away', async (_name, keys, action) => {
      await using opened = await desk.open('/', 'Main')
      const { window } = opened
      await window.setNotice(notice)
      await expect.poll(() => topElement(window), polling).toEqual(shown)
      const actions: string[] = []
      window.on('noticeAction', event => void actions.push(event.action))
      const press = async () => {
        if (actions.length > 0) return actions
        // The keyboard begins anew at the start of the page.
        await desk.click(400, 400)
        for (const key of keys) await desk.press(key)
        return actions
      }
      await expect.poll(press, { timeout: 60_000, interval: 1000 }).toEqual([action])
      await expect.poll(() => topElement(window), polling).not.toEqual(shown)
      const loaded = nextEvent(window, 'loaded')
      await window.reload()
      await loaded
      expect(await topElement(window)).not.toEqual(shown)
    })

    it('cannot be pressed by the page', async () => {
      await using opened = await desk.open('/', 'Main')
      const { window } = opened
      let actions = 0
      window.on('noticeAction', () => void actions++)
      await window.setNotice(notice)
      await expect.poll(() => topElement(window), polling).toEqual(shown)
      await window.call('document.documentElement.lastElementChild.click()', bounds)
      await window.ping(bounds)
      expect(actions).toBe(0)
    })
  })
})
