import { hasDisplay } from '@service-link/test-kit/display'
import { nextEvent } from '@service-link/test-kit/next-event'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineWindow, OwnPage, WindowNotice } from '../../src/engine.ts'
import { bounds, openDesk, polling, type TestDesk } from '../support/desk.ts'

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

describe.runIf(hasBrowser && hasDisplay)('the wrapper’s own content', () => {
  let desk: TestDesk
  beforeAll(async () => {
    desk = await openDesk({
      '/': '<meta charset=utf-8><title>Main</title><p>app',
      '/strict': {
        headers: { 'content-security-policy': strict },
        body: '<meta charset=utf-8><title>Strict</title><p>app',
      },
      '/hostile': hostile,
      '/long': '<meta charset=utf-8><title>Long</title><p style="height: 3000px">app<p id=end>end',
      '/covering': `<meta charset=utf-8><title>Covering</title><style>
#menu { position: fixed; inset: 0 0 auto 0; height: 40px }
dialog { position: fixed; inset: 0 0 auto 0; width: 100%; height: 60px }
</style><div id=menu></div><dialog></dialog>`,
    })
  })
  afterAll(() => desk?.[Symbol.asyncDispose]())

  /** The element at the bottom of the page, as the page sees it. */
  const bottomElement = (window: EngineWindow) =>
    window.call(
      `(() => { const found = document.elementFromPoint(40, innerHeight - 12); const { width, height, bottom } = found.getBoundingClientRect()
return [found.localName, found.shadowRoot, bottom - innerHeight, width >= document.documentElement.clientWidth, height > 20 && height < 80] })()`,
      bounds,
    )
  const shown = ['div', null, 0, true, true]

  describe('a page of the wrapper', () => {
    it.each([
      ['its first button, which has the keyboard', ['Return'], 'retry'],
      ['another by the keyboard', ['Tab', 'space'], 'close'],
      ['F5, for the first', ['F5'], 'retry'],
    ])('reports %s', async (_name, keys, action) => {
      const window = await desk.show('/', 'Main')
      await window.showOwnPage(ownPage)
      await desk.isActive('Unreachable')
      const actions: string[] = []
      window.on('ownPageAction', event => void actions.push(event.action))
      // The page may show slightly before it accepts keys, so the keys are pressed again.
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
    ])('stays above %s, even after a reload, until it is dismissed', async (_name, path, title) => {
      const window = await desk.show(path, title)
      await window.setNotice(notice)
      await expect.poll(() => bottomElement(window), polling).toEqual(shown)
      const loaded = nextEvent(window, 'loaded')
      await window.reload()
      await loaded
      await expect.poll(() => bottomElement(window), polling).toEqual(shown)
      await window.setNotice(undefined)
      await expect.poll(() => bottomElement(window), polling).not.toEqual(shown)
    })

    it('stays above a page whose styles hide everything', async () => {
      const window = await desk.show('/hostile', 'Hostile')
      await window.setNotice(notice)
      await expect.poll(() => bottomElement(window), polling).toEqual(shown)
    })

    it('leaves the page’s top with its menu, and a modal dialog, free', async () => {
      const window = await desk.show('/covering', 'Covering')
      await window.setNotice(notice)
      await expect.poll(() => bottomElement(window), polling).toEqual(shown)
      expect(await window.call('document.elementFromPoint(40, 12).id', bounds)).toBe('menu')
      await window.call(`void document.querySelector('dialog').showModal()`, bounds)
      expect(await window.call('document.elementFromPoint(40, 12).localName', bounds)).toBe('dialog')
      await window.call(`void document.querySelector('dialog').close()`, bounds)
      await expect.poll(() => bottomElement(window), polling).toEqual(shown)
    })

    it('has a row of its own: it covers nothing at the end of a long page', async () => {
      const window = await desk.show('/long', 'Long')
      const spare = () =>
        window.call(
          `(() => { scrollTo(0, 1e6); const line = document.elementFromPoint(40, innerHeight - 12).getBoundingClientRect()
return [document.documentElement.style.cssText !== '', document.querySelector('#end').getBoundingClientRect().bottom <= line.top] })()`,
          bounds,
        )
      await window.setNotice(notice)
      await expect.poll(spare, polling).toEqual([true, true])
      await window.setNotice(undefined)
      await expect.poll(spare, polling).toEqual([false, false])
    })

    it.each([
      ['followed', ['Tab', 'Return'], 'follow'],
      ['put away', ['Tab', 'Tab', 'space'], 'dismiss'],
    ])('is %s by the keyboard, and stays dismissed', async (_name, keys, action) => {
      const window = await desk.show('/', 'Main')
      await window.setNotice(notice)
      await expect.poll(() => bottomElement(window), polling).toEqual(shown)
      const actions: string[] = []
      window.on('noticeAction', event => void actions.push(event.action))
      const press = async () => {
        if (actions.length > 0) return actions
        // The keyboard focus restarts at the page's beginning.
        await desk.click(window, 400, 400)
        for (const key of keys) await desk.press(key)
        return actions
      }
      await expect.poll(press, { timeout: 60_000, interval: 1000 }).toEqual([action])
      await expect.poll(() => bottomElement(window), polling).not.toEqual(shown)
      const loaded = nextEvent(window, 'loaded')
      await window.reload()
      await loaded
      expect(await bottomElement(window)).not.toEqual(shown)
    })

    it('cannot be pressed by the page', async () => {
      const window = await desk.show('/', 'Main')
      let actions = 0
      window.on('noticeAction', () => void actions++)
      await window.setNotice(notice)
      await expect.poll(() => bottomElement(window), polling).toEqual(shown)
      await window.call('document.documentElement.lastElementChild.click()', bounds)
      await window.ping(bounds)
      expect(actions).toBe(0)
    })
  })
})
