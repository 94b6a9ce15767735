import { isInstalled } from '@service-link/test-kit/is-installed'
import { nextEvent } from '@service-link/test-kit/next-event'
import { serveSite, type TestPages, type TestSite } from '@service-link/test-kit/site'
import { hasBrowser, headless, openTestWindow, type TestWindow } from '@service-link/test-kit/test-window'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'

const bounds = { timeoutMs: 60_000 }
const pageScript = `send => {
  globalThis.__wrapperHost = { receive: expression => (0, eval)(expression) }
  send({ at: location.href })
}`
/** A site and one window for the tests of a group, one after the other. */
function sharedWindow(pages: TestPages, engine = headless) {
  let site: TestSite
  let opened: TestWindow
  beforeAll(async () => {
    site = await serveSite({ '/': '<p>app', ...pages })
    const options = { url: `${site.origin}/`, pageScript, userAgentSuffix: 'Suffix/1' }
    opened = await openTestWindow(options, engine)
    await nextEvent(opened.window, 'loaded')
  })
  afterAll(async () => {
    await opened?.[Symbol.asyncDispose]()
    await site?.[Symbol.asyncDispose]()
  })
  return {
    get site() {
      return site
    },
    get window() {
      return opened.window
    },
    /** Goes to a page and waits until it has loaded. */
    async show(path: string) {
      const loaded = nextEvent(opened.window, 'loaded')
      await opened.window.navigate(`${site.origin}${path}`)
      return loaded
    },
  }
}

describe.runIf(hasBrowser)('a page of the wrapper', () => {
  const shared = sharedWindow({ '/next': '<p>next' })

  it('leaves no history', async () => {
    const { window } = shared
    await window.showOwnPage({ title: 'Own', paragraphs: [], buttons: [] })
    await shared.show('/next')
    await expect.poll(() => window.call('history.length', bounds), { timeout: 60_000 }).toBe(1)
  })
})

describe.runIf(hasBrowser)('a server that', () => {
  const down = [502, 503, 504]
  const shared = sharedWindow({
    ...Object.fromEntries(down.map(status => [`/${status}`, { status, body: '<h1>Bad gateway</h1>' }])),
    '/500': { status: 500, body: '<h1>Fault</h1>' },
    '/fine': '<p>fine',
    '/there': '<p>there',
  })

  it.each(down)('reports a service as down with %i counts as unreachable', async status => {
    const { site, window } = shared
    const url = `${site.origin}/${status}`
    let loads = 0
    const stop = window.on('loaded', () => void loads++)
    const failed = nextEvent(window, 'loadFailed')
    await window.navigate(url).catch(() => undefined)
    expect(await failed).toEqual({
      url,
      reason: expect.stringContaining(`service is down (status ${status})`),
    })
    expect(await window.canReach(url, bounds)).toBe(false)
    expect(await window.canReach(`${site.origin}/fine`, bounds)).toBe(true)
    await shared.show('/fine')
    expect(loads).toBe(1)
    stop()
  })

  it('answers with another failure is shown unchanged', async () => {
    expect(await shared.show('/500')).toEqual({ url: `${shared.site.origin}/500` })
  })

  it('is probed beside the visible page, with the suffix of the user agent', async () => {
    const { site, window } = shared
    await shared.show('/')
    await window.call('globalThis.kept = 1', bounds)
    expect(await window.canReach(`${site.origin}/there`, bounds)).toBe(true)
    expect((await site.nextRequest('/there'))['user-agent']).toMatch(/ Suffix\/1$/)
    expect(await window.canReach('file:///etc/hosts', bounds)).toBe(false)
    expect(await window.call('globalThis.kept', bounds)).toBe(1)
  })
})

const shell = 'chromium-headless-shell'

describe.runIf(isInstalled(shell))('a browser without hidden pages', () => {
  const engine = createChromiumEngine({ isHeadless: true, executable: shell, openExternal: () => undefined })
  const shared = sharedWindow({ '/there': '<p>there' }, engine)

  it('probes a server too', async () => {
    const { site, window } = shared
    expect(await window.canReach(`${site.origin}/there`, bounds)).toBe(true)
    expect(await window.canReach('http://127.0.0.1:2/', bounds)).toBe(false)
    expect((await site.nextRequest('/there'))['user-agent']).toMatch(/ Suffix\/1$/)
    expect(await window.call('location.pathname', bounds)).toBe('/')
  })
})
