import { startDisplay, type TestDisplay } from '@service-link/test-kit/display'
import { nextEvent } from '@service-link/test-kit/next-event'
import { serveSite, type TestPages, type TestSite } from '@service-link/test-kit/site'
import { openTestWindow, type TestWindow } from '@service-link/test-kit/test-window'
import { expect } from 'vitest'
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'
import type { Engine, EngineWindow, OpenWindowOptions } from '../../src/engine.ts'

export const bounds = { timeoutMs: 60_000 }
export const polling = { timeout: 60_000, interval: 50 }

/** Time for a page to notice a click before a repeat, in milliseconds. */
const clickAgainMs = 1000

/** Script of each page of a desk: calls evaluate their text. */
const pageScript = `send => { globalThis.__wrapperHost = { receive: expression => (0, eval)(expression) } }`

/** A screen, a site, and an engine that shows the site on the screen. */
export interface TestDesk extends AsyncDisposable {
  readonly display: TestDisplay
  readonly site: TestSite
  readonly engine: Engine
  /** Addresses handed to the operating system. */
  readonly external: readonly string[]
  /** Opens a page and waits until it accepts typing. */
  open(path: string, title: string, options?: Partial<OpenWindowOptions>): Promise<TestWindow>
  /** Shows a page in a window that the tests of a desk share, and waits until it accepts typing. */
  show(path: string, title: string): Promise<EngineWindow>
  /** Waits until the window with this title has the keyboard. */
  isActive(title: string): Promise<void>
  /** Presses keys. */
  press(...keys: readonly string[]): Promise<unknown>
  /** Clicks in a page until it notices: a browser drops clicks into a new page. */
  click(window: EngineWindow, left: number, top: number): Promise<void>
}

/** Sets up a desk with the pages of a site. */
export async function openDesk(pages: TestPages): Promise<TestDesk> {
  await using resources = new AsyncDisposableStack()
  const display = resources.use(await startDisplay())
  const site = resources.use(await serveSite(pages))
  const external: string[] = []
  const engine = createChromiumEngine({
    environment: display.environment,
    openExternal: url => void external.push(url),
  })
  const owned = resources.move()
  const isActive = async (title: string) => {
    const name = () => display.xdotool('getactivewindow', 'getwindowname').catch(() => 'none')
    await expect.poll(name, polling).toBe(title)
  }
  const untilTypable = async (window: EngineWindow, title: string) => {
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
  const open: TestDesk['open'] = async (path, title, options = {}) => {
    const opened = await openTestWindow({ url: `${site.origin}${path}`, pageScript, ...options }, engine)
    await nextEvent(opened.window, 'loaded')
    await untilTypable(opened.window, title)
    return opened
  }
  let shared: EngineWindow | undefined
  return {
    display,
    site,
    engine,
    external,
    isActive,
    open,
    async show(path, title) {
      if (!shared) {
        const opened = owned.use(await open(path, title))
        shared = opened.window
        return shared
      }
      await shared.setNotice(undefined)
      const loaded = nextEvent(shared, 'loaded')
      await shared.navigate(`${site.origin}${path}`)
      await loaded
      await shared.call('1', bounds)
      await isActive(title)
      return shared
    },
    press: (...keys) => display.xdotool('key', ...keys),
    async click(window, left, top) {
      await window.call(
        `globalThis.isClicked = false; onclick = () => { globalThis.isClicked = true }`,
        bounds,
      )
      const isHeard = async () => (await window.call('globalThis.isClicked', bounds)) === true
      const clickOnce = async () => {
        if (!(await isHeard())) await display.xdotool('mousemove', String(left), String(top), 'click', '1')
        return isHeard()
      }
      await expect.poll(clickOnce, { ...polling, interval: clickAgainMs }).toBe(true)
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}
