import { hasDisplay, screenWidth, startDisplay, type TestDisplay } from '@service-link/test-kit/display'
import { nextEvent } from '@service-link/test-kit/next-event'
import { serveSite, type TestSite } from '@service-link/test-kit/site'
import { hasBrowser, openTestWindow, type TestWindow } from '@service-link/test-kit/test-window'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'
import type { Engine, EngineWindow } from '../../src/engine.ts'
import { PageCallError } from '../../src/engine-error.ts'

const pageScript = `send => {
  globalThis.__wrapperHost = { receive: expression => (0, eval)(expression) }
  globalThis.send = send
  addEventListener('focus', () => send('focus'))
  addEventListener('blur', () => send('blur'))
  addEventListener('beforeunload', () => send('asked'))
}`
const bounds = { timeoutMs: 30_000 }
const polling = { timeout: 20_000, interval: 25 }

const page = (title: string) => `<meta charset=utf-8><title>${title}</title><p>${title}
<a id=mail href="mailto:nobody@site.example">mail</a>`
const objecting = `${page('Objecting')}<script>addEventListener('beforeunload', event => event.preventDefault())</script>`

describe.runIf(hasBrowser && hasDisplay)('a window on a display', () => {
  const resources = new AsyncDisposableStack()
  let display: TestDisplay
  let site: TestSite
  let engine: Engine
  /** The shared window of tests that leave it open. Tests with a separate window close it first. */
  let shared: TestWindow | undefined

  beforeAll(async () => {
    display = resources.use(await startDisplay())
    site = resources.use(
      await serveSite({
        '/': page('Main'),
        '/next': page('Next'),
        '/other': page('Other'),
        '/objecting': objecting,
        '/waiting': `${page('Waiting')}<script src="/endless"></script>`,
        '/endless': 'never',
        '/slow': 'never',
      }),
    )
    engine = createChromiumEngine({ environment: display.environment })
  })
  afterAll(async () => {
    await shared?.[Symbol.asyncDispose]()
    await resources.disposeAsync()
  })

  /** Opens a window and waits until it accepts typing. */
  async function openFocused(path: string, title: string): Promise<TestWindow> {
    await shared?.[Symbol.asyncDispose]()
    shared = undefined
    const opened = await openTestWindow({ url: `${site.origin}${path}`, pageScript }, engine)
    await nextEvent(opened.window, 'loaded')
    await untilFocused(opened.window, title)
    return opened
  }
  /** Shows the main page in the shared window, and waits until it accepts typing. */
  async function showFocused(): Promise<EngineWindow> {
    if (!shared) {
      shared = await openFocused('/', 'Main')
      return shared.window
    }
    const { window } = shared
    window.setMinimiseOnClose(false)
    await window.show()
    const loaded = nextEvent(window, 'loaded')
    await window.navigate(`${site.origin}/`)
    await loaded
    await untilFocused(window, 'Main')
    return window
  }
  async function untilFocused(window: EngineWindow, title: string): Promise<void> {
    await isActive(title)
    // Until a page is painted, the browser drops typed keys; sometimes an active window's page has no focus.
    const isReady = async () => {
      const isPainted = `performance.getEntriesByName('first-contentful-paint').length > 0`
      if (!(await window.call(isPainted, bounds))) return false
      if (await window.call('document.hasFocus()', bounds)) return true
      await display.xdotool('getactivewindow', 'mousemove', '--window', '%1', '300', '300', 'click', '1')
      return false
    }
    await expect.poll(isReady, polling).toBe(true)
  }
  const activeTitle = async () => {
    try {
      return await display.xdotool('getactivewindow', 'getwindowname')
    } catch {
      return 'none'
    }
  }
  const isActive = (title: string) => expect.poll(activeTitle, polling).toBe(title)
  const closeByKey = () => display.xdotool('key', 'alt+F4')
  const stateIs = (window: EngineWindow, state: string) =>
    expect.poll(() => window.windowState(), polling).toBe(state)

  it('comes in front of another window [4.5-show]', async () => {
    await using first = await openFocused('/', 'Main')
    await using _second = await openFocused('/other', 'Other')
    await first.window.show()
    await isActive('Main')
  })

  it('is maximized again after it was minimized while maximized', async () => {
    await using opened = await openFocused('/', 'Main')
    const width = () => opened.window.call('outerWidth', bounds)
    // A double click on the title bar.
    await display.xdotool('mousemove', '300', '8', 'click', '--repeat', '2', '1')
    await expect.poll(width, polling).toBe(screenWidth)
    await opened.window.minimise()
    await stateIs(opened.window, 'minimised')
    await opened.window.show()
    await stateIs(opened.window, 'normal')
    await expect.poll(width, polling).toBe(screenWidth)
  })

  it('opens with developer tools on request', async () => {
    const tools = async () => (await display.xdotool('search', '--onlyvisible', '--name', 'DevTools')) !== ''
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript, isDebug: true }, engine)
    expect(await nextEvent(opened.window, 'loaded')).toEqual({ url: `${site.origin}/` })
    expect(await opened.window.call('document.title', bounds)).toBe('Main')
    await expect.poll(() => tools().catch(() => false), polling).toBe(true)
  })

  describe('closed by the user', () => {
    it('is minimized while its page waits for a resource [2.2-minimize-on-exit]', async () => {
      await using opened = await openFocused('/', 'Main')
      const { window } = opened
      window.setMinimiseOnClose(true)
      await window.navigate(`${site.origin}/waiting`)
      await isActive('Waiting')
      const vetoed = nextEvent(window, 'closeVetoed')
      await closeByKey()
      await vetoed
    })

    it('is minimized while it waits for a slow server [2.2-minimize-on-exit]', async () => {
      await using opened = await openFocused('/', 'Main')
      const { window } = opened
      window.setMinimiseOnClose(true)
      const gone = window.navigate(`${site.origin}/slow`)
      await site.nextRequest('/slow')
      const vetoed = nextEvent(window, 'closeVetoed')
      await closeByKey()
      await vetoed
      await gone
      expect(await window.call('document.title', bounds)).toBe('Main')
    })

    it('is minimized although its page objects too: nothing is lost', async () => {
      await using opened = await openFocused('/objecting', 'Objecting')
      opened.window.setMinimiseOnClose(true)
      const vetoed = nextEvent(opened.window, 'closeVetoed')
      await closeByKey()
      await vetoed
      await stateIs(opened.window, 'minimised')
    })

    it('still closes by the program', async () => {
      await using opened = await openFocused('/objecting', 'Objecting')
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
    const window = await showFocused()
    let vetoes = 0
    window.on('closeVetoed', () => vetoes++)
    window.setMinimiseOnClose(true)
    const loaded = nextEvent(window, 'loaded')
    // The page may be gone before it has answered.
    await window.call(script, bounds).catch(() => undefined)
    expect(await loaded).toEqual({ url: `${site.origin}${path}` })
    expect(vetoes).toBe(0)
    expect(await window.windowState()).toBe('normal')
  })

  it.each([
    ['F5', 'F5'],
    ['ctrl+r', 'ctrl+r'],
  ])('is not minimized by the user’s reload, %s', async (_name, key) => {
    const window = await showFocused()
    let vetoes = 0
    window.on('closeVetoed', () => vetoes++)
    window.setMinimiseOnClose(true)
    const loaded = nextEvent(window, 'loaded')
    await display.xdotool('key', key)
    await loaded
    expect(vetoes).toBe(0)
  })

  it('is not minimized by a mail link, but by a later close', async () => {
    const window = await showFocused()
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
    await using opened = await openFocused('/', 'Main')
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
    await display.xdotool('key', 'a')
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
      await display.xdotool('key', 'Return')
      return window.call('globalThis.answered', { timeoutMs: 500 }).catch(() => 'asking')
    }
    await expect.poll(answer, polling).toBe('true')
    await window.ping(bounds)
  })

  it('leaves a page’s own question about unsaved work to the user', async () => {
    await using opened = await openFocused('/objecting', 'Objecting')
    const { window } = opened
    const seen = await window.call('performance.timeOrigin', bounds)
    const reloadAndBeAsked = async () => {
      // After a question the window gets the keyboard back slightly after its page.
      await isActive('Objecting')
      const asked = nextEvent(window, 'message', ({ value }) => value === 'asked')
      await display.xdotool('key', 'F5')
      // The page's thread now waits for the answer.
      await asked
    }
    // The question may appear slightly after the page stops, so the key is pressed again.
    const pressing = { timeout: 20_000, interval: 500 }

    await reloadAndBeAsked()
    const stay = async () => {
      await display.xdotool('key', 'Escape')
      return window.call('performance.timeOrigin', { timeoutMs: 2000 }).catch(() => 'asking')
    }
    await expect.poll(stay, pressing).toBe(seen)

    let hasLoaded = false
    window.on('loaded', () => {
      hasLoaded = true
    })
    await reloadAndBeAsked()
    const leave = async () => {
      if (!hasLoaded) await display.xdotool('key', 'Return')
      return hasLoaded
    }
    await expect.poll(leave, pressing).toBe(true)
    expect(await window.call('performance.timeOrigin', bounds)).not.toBe(seen)
  })

  it('stays the only one when the user presses the key for another', async () => {
    const window = await showFocused()
    let hasLostFocus = false
    window.on('message', ({ value }) => {
      if (value === 'blur') hasLostFocus = true
    })
    // The other window often closes before it shows, so the key is pressed again.
    const press = async () => {
      if (!hasLostFocus) await display.xdotool('key', 'ctrl+n')
      return hasLostFocus
    }
    await expect.poll(press, { timeout: 20_000, interval: 500 }).toBe(true)
    await isActive('Main')
    const visible = () => display.xdotool('search', '--onlyvisible', '--name', '.')
    await expect.poll(async () => (await visible()).split('\n').length, polling).toBe(1)
  })
})
