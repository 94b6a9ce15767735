import { hasDisplay, screenWidth } from '@service-link/test-kit/display'
import { nextEvent } from '@service-link/test-kit/next-event'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { EngineWindow } from '../../src/engine.ts'
import { PageCallError } from '../../src/engine-error.ts'
import { bounds, openDesk, polling, type TestDesk } from '../support/desk.ts'

const pageScript = `send => {
  globalThis.__wrapperHost = { receive: expression => (0, eval)(expression) }
  globalThis.send = send
  addEventListener('focus', () => send('focus'))
  addEventListener('blur', () => send('blur'))
  addEventListener('beforeunload', () => send('asked'))
}`
const page = (title: string) => `<meta charset=utf-8><title>${title}</title><p>${title}
<a id=mail href="mailto:nobody@site.example">mail</a>`
const objecting = `${page('Objecting')}<script>addEventListener('beforeunload', event => event.preventDefault())</script>`

describe.runIf(hasBrowser && hasDisplay)('a window on a display', () => {
  let desk: TestDesk
  beforeAll(async () => {
    desk = await openDesk({
      '/': page('Main'),
      '/next': page('Next'),
      '/other': page('Other'),
      '/objecting': objecting,
      '/waiting': `${page('Waiting')}<script src="/endless"></script>`,
      '/endless': 'never',
      '/slow': 'never',
    })
  })
  afterAll(() => desk?.[Symbol.asyncDispose]())

  const open = (path: string, title: string) => desk.open(path, title, { pageScript })
  const closeByKey = () => desk.press('alt+F4')
  const stateIs = (window: EngineWindow, state: string) =>
    expect.poll(() => window.windowState(), polling).toBe(state)

  it('comes in front of another window [4.5-show]', async () => {
    await using first = await open('/', 'Main')
    await using _second = await open('/other', 'Other')
    await first.window.show()
    await desk.isActive('Main')
  })

  it('is maximized again after it was minimized while maximized', async () => {
    await using opened = await open('/', 'Main')
    const width = () => opened.window.call('outerWidth', bounds)
    // A double click on the title bar.
    await desk.display.xdotool('mousemove', '300', '8', 'click', '--repeat', '2', '1')
    await expect.poll(width, polling).toBe(screenWidth)
    await opened.window.minimise()
    await stateIs(opened.window, 'minimised')
    await opened.window.show()
    await stateIs(opened.window, 'normal')
    await expect.poll(width, polling).toBe(screenWidth)
  })

  it('is where its user has put it after it was minimized and shown', async () => {
    const placement = { left: 140, top: 140, width: 700, height: 500 }
    await using opened = await desk.open('/', 'Main', { pageScript, placement })
    const place = () => opened.window.call('[screenX, screenY, outerWidth, outerHeight]', bounds)
    const before = await place()
    for (let count = 0; count < 2; count++) {
      await opened.window.minimise()
      await stateIs(opened.window, 'minimised')
      await opened.window.show()
      await expect.poll(place, polling).toEqual(before)
    }
  })

  it('fills the screen as a kiosk', async () => {
    await using opened = await desk.open('/', 'Main', { pageScript, isKiosk: true })
    await expect.poll(() => opened.window.call('innerWidth', bounds), polling).toBe(screenWidth)
  })

  it('opens with developer tools on request', async () => {
    const tools = async () =>
      (await desk.display.xdotool('search', '--onlyvisible', '--name', 'DevTools')) !== ''
    const options = { url: `${desk.site.origin}/`, pageScript, isDebug: true }
    await using opened = await openTestWindow(options, desk.engine)
    expect(await nextEvent(opened.window, 'loaded')).toEqual({ url: `${desk.site.origin}/` })
    expect(await opened.window.call('document.title', bounds)).toBe('Main')
    await expect.poll(() => tools().catch(() => false), polling).toBe(true)
  })

  describe('closed by the user', () => {
    it('is minimized while its page waits for a resource [2.2-minimize-on-exit]', async () => {
      await using opened = await open('/', 'Main')
      const { window } = opened
      window.setMinimiseOnClose(true)
      await window.navigate(`${desk.site.origin}/waiting`)
      await desk.isActive('Waiting')
      const vetoed = nextEvent(window, 'closeVetoed')
      await closeByKey()
      await vetoed
    })

    it('is minimized while it waits for a slow server [2.2-minimize-on-exit]', async () => {
      await using opened = await open('/', 'Main')
      const { window } = opened
      window.setMinimiseOnClose(true)
      const gone = window.navigate(`${desk.site.origin}/slow`)
      await desk.site.nextRequest('/slow')
      const vetoed = nextEvent(window, 'closeVetoed')
      await closeByKey()
      await vetoed
      await gone
      expect(await window.call('document.title', bounds)).toBe('Main')
    })

    it('is minimized although its page objects too: nothing is lost', async () => {
      await using opened = await open('/objecting', 'Objecting')
      opened.window.setMinimiseOnClose(true)
      const vetoed = nextEvent(opened.window, 'closeVetoed')
      await closeByKey()
      await vetoed
      await stateIs(opened.window, 'minimised')
    })

    it('still closes by the program', async () => {
      await using opened = await open('/objecting', 'Objecting')
      opened.window.setMinimiseOnClose(true)
      const closed = nextEvent(opened.window, 'closed')
      await opened.window.close()
      await closed
    })
  })

  it.each([
    ['a link of the page', `location.href = '/next'`, '/next'],
    ['a reload by the page', 'location.reload()', '/'],
  ])('is not minimized by %s', async (_name, script, path) => {
    await using opened = await open('/', 'Main')
    const { window } = opened
    let vetoes = 0
    window.on('closeVetoed', () => vetoes++)
    window.setMinimiseOnClose(true)
    const loaded = nextEvent(window, 'loaded')
    // The page may be gone before it has answered.
    await window.call(script, bounds).catch(() => undefined)
    expect(await loaded).toEqual({ url: `${desk.site.origin}${path}` })
    expect(vetoes).toBe(0)
    expect(await window.windowState()).toBe('normal')
  })

  it.each([
    ['F5', 'F5'],
    ['ctrl+r', 'ctrl+r'],
  ])('is not minimized by the user’s reload, %s', async (_name, key) => {
    await using opened = await open('/', 'Main')
    const { window } = opened
    let vetoes = 0
    window.on('closeVetoed', () => vetoes++)
    window.setMinimiseOnClose(true)
    const loaded = nextEvent(window, 'loaded')
    await desk.press(key)
    await loaded
    expect(vetoes).toBe(0)
  })

  it('is not minimized by a mail link, but by a later close', async () => {
    await using opened = await open('/', 'Main')
    const { window } = opened
    let vetoes = 0
    window.on('closeVetoed', () => vetoes++)
    window.setMinimiseOnClose(true)
    await window.call(`document.getElementById('mail').click()`, bounds)
    await window.call('1', bounds)
    expect(vetoes).toBe(0)
    const vetoed = nextEvent(window, 'closeVetoed')
    await closeByKey()
    await vetoed
  })

  it('does not hang while its pop-up waits in a dialog', async () => {
    await using opened = await open('/', 'Main')
    const { window } = opened
    await window.call(
      `addEventListener('keydown', () => {
        const opened = window.open('')
        setTimeout(() => {
          send('asks')
          globalThis.answered = String(opened.confirm('?'))
        })
      }, { once: true })`,
      bounds,
    )
    const asks = nextEvent(window, 'message', ({ value }) => value === 'asks')
    await desk.press('a')
    // The page's thread now waits for the answer.
    await asks
    // A ping that began before the dialog opened does not end with it.
    const isWell = () =>
      window.ping({ timeoutMs: 500 }).then(
        () => true,
        () => false,
      )
    await expect.poll(isWell, polling).toBe(true)
    await expect(window.call('1', { timeoutMs: 100 })).rejects.toThrow(PageCallError)
    // A key before the dialog has no effect.
    const answer = async () => {
      await desk.press('Return')
      return window.call('globalThis.answered', { timeoutMs: 500 }).catch(() => 'asking')
    }
    await expect.poll(answer, polling).toBe('true')
    await window.ping(bounds)
  })

  it('leaves a page’s own question about unsaved work to the user', async () => {
    await using opened = await open('/objecting', 'Objecting')
    const { window } = opened
    const seen = await window.call('performance.timeOrigin', bounds)
    const reloadAndBeAsked = async () => {
      // After a question the window gets the keyboard back slightly after its page.
      await desk.isActive('Objecting')
      const asked = nextEvent(window, 'message', ({ value }) => value === 'asked')
      await desk.press('F5')
      // The page's thread now waits for the answer.
      await asked
    }
    // The question may appear slightly after the page stops, so the key is pressed again.
    const pressing = { timeout: 20_000, interval: 500 }

    await reloadAndBeAsked()
    const stay = async () => {
      await desk.press('Escape')
      return window.call('performance.timeOrigin', { timeoutMs: 2000 }).catch(() => 'asking')
    }
    await expect.poll(stay, pressing).toBe(seen)

    let hasLoaded = false
    window.on('loaded', () => {
      hasLoaded = true
    })
    await reloadAndBeAsked()
    const leave = async () => {
      if (!hasLoaded) await desk.press('Return')
      return hasLoaded
    }
    await expect.poll(leave, pressing).toBe(true)
    expect(await window.call('performance.timeOrigin', bounds)).not.toBe(seen)
  })

  it('stays the only one when the user presses the key for another', async () => {
    await using opened = await open('/', 'Main')
    const { window } = opened
    let hasLostFocus = false
    window.on('message', ({ value }) => {
      if (value === 'blur') hasLostFocus = true
    })
    // The other window often closes before it shows, so the key is pressed again.
    const press = async () => {
      if (!hasLostFocus) await desk.press('ctrl+n')
      return hasLostFocus
    }
    await expect.poll(press, { timeout: 20_000, interval: 500 }).toBe(true)
    await desk.isActive('Main')
    const visible = () => desk.display.xdotool('search', '--onlyvisible', '--name', '.')
    await expect.poll(async () => (await visible()).split('\n').length, polling).toBe(1)
  })
})
