import { describe, expect, it } from 'vitest'
import type { OwnPage } from '../../src/engine.ts'
import { hasBrowser, openTestWindow } from '../support/browser.ts'
import { nextEvent } from '../support/events.ts'
import { serveSite } from '../support/site.ts'

const bounds = { timeoutMs: 60_000 }
const pageScript = `send => {
  globalThis.__wrapperHost = { receive: expression => (0, eval)(expression) }
  send({ at: location.href })
}`
const ownPage: OwnPage = {
  title: 'Service <cannot> be reached & more',
  paragraphs: ['Check “the network”.', '<script>alert(1)</script>'],
  buttons: [{ action: 'retry', label: 'Try again' }],
}

describe.runIf(hasBrowser)('a page of the wrapper', () => {
  it('replaces the web app without its script until the next navigation, and leaves no history', async () => {
    await using site = await serveSite({ '/': '<p>app', '/next': '<p>next' })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript })
    const { window } = opened
    await nextEvent(window, 'loaded')
    const told: string[] = []
    for (const name of ['message', 'loaded', 'loadFailed', 'unloading', 'ownPageAction'] as const)
      window.on(name, () => void told.push(name))
    await window.showOwnPage(ownPage)
    await window.ping(bounds)
    await expect(window.call('1', bounds)).rejects.toMatchObject({ fault: 'foreign-origin' })
    await window.showOwnPage({ title: 'Another', paragraphs: [], buttons: [] })
    expect(told).toEqual(['unloading'])
    const loaded = nextEvent(window, 'loaded')
    await window.navigate(`${site.origin}/next`)
    expect(await loaded).toEqual({ url: `${site.origin}/next` })
    await expect.poll(() => window.call('history.length', bounds), { timeout: 60_000 }).toBe(1)
  })

  it.each(['reload', 'restartPage'] as const)('is replaced by the web app on %s', async name => {
    await using site = await serveSite({ '/': '<p>app' })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript })
    await nextEvent(opened.window, 'loaded')
    // At once each time: a navigation during the page's load would be canceled.
    for (let round = 0; round < 5; round++) {
      await opened.window.showOwnPage(ownPage)
      const loaded = nextEvent(opened.window, 'loaded')
      await opened.window[name]()
      expect(await loaded).toEqual({ url: `${site.origin}/` })
    }
  })
})

describe.runIf(hasBrowser)('a server that', () => {
  it.each([502, 503, 504])('reports a service as down with %i counts as unreachable', async status => {
    await using site = await serveSite({
      '/': { status, body: '<h1>Bad gateway</h1>' },
      '/fine': '<p>fine',
    })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript })
    const { window } = opened
    let loads = 0
    window.on('loaded', () => void loads++)
    const failed = await nextEvent(window, 'loadFailed')
    expect(failed).toEqual({
      url: `${site.origin}/`,
      reason: expect.stringContaining(`service is down (status ${status})`),
    })
    expect(await window.canReach(`${site.origin}/`, bounds)).toBe(false)
    expect(await window.canReach(`${site.origin}/fine`, bounds)).toBe(true)
    const loaded = nextEvent(window, 'loaded')
    await window.navigate(`${site.origin}/fine`)
    await loaded
    expect(loads).toBe(1)
  })

  it('answers with another failure is shown unchanged', async () => {
    await using site = await serveSite({ '/': { status: 500, body: '<h1>Fault</h1>' } })
    await using opened = await openTestWindow({ url: `${site.origin}/`, pageScript })
    expect(await nextEvent(opened.window, 'loaded')).toEqual({ url: `${site.origin}/` })
  })

  it('is probed beside the visible page', async () => {
    await using site = await serveSite({ '/': '<p>app', '/there': '<p>there', '/silent': 'never' })
    await using opened = await openTestWindow({
      url: `${site.origin}/`,
      pageScript,
      userAgentSuffix: 'Suffix/1',
    })
    const { window } = opened
    await nextEvent(window, 'loaded')
    await window.call('globalThis.kept = 1', bounds)
    expect(await window.canReach(`${site.origin}/there`, bounds)).toBe(true)
    expect((await site.nextRequest('/there'))['user-agent']).toMatch(/ Suffix\/1$/)
    expect(await window.canReach(`${site.origin}/silent`, { timeoutMs: 1000 })).toBe(false)
    expect(await window.canReach('http://127.0.0.1:2/', bounds)).toBe(false)
    expect(await window.canReach('file:///etc/hosts', bounds)).toBe(false)
    const { signal } = new AbortController()
    expect(await window.canReach(`${site.origin}/there`, { ...bounds, signal })).toBe(true)
    expect(await window.call('globalThis.kept', bounds)).toBe(1)
  })
})

describe.runIf(hasBrowser)('forgetting the session', () => {
  it('removes everything stored by pages: nobody stays signed in', async () => {
    const worker = { type: 'text/javascript', body: 'oninstall = () => skipWaiting()' }
    const headers = { 'set-cookie': 'session=1; HttpOnly; Max-Age=3600' }
    await using other = await serveSite({ '/': { headers, body: '<p>other' } }, 'localhost')
    await using site = await serveSite({ '/': { headers, body: '<p>app' }, '/worker.js': worker })
    await using opened = await openTestWindow({
      url: `${other.origin}/`,
      pageScript,
      allowedOrigins: [other.origin, site.origin],
    })
    const { window } = opened
    await nextEvent(window, 'loaded')
    await window.call('localStorage.name = 1', bounds)
    const first = nextEvent(window, 'loaded')
    await window.navigate(`${site.origin}/`)
    await first
    await window.call(
      `Promise.all([
  localStorage.name = 1, sessionStorage.name = 1, document.cookie = 'seen=1',
  new Promise(resolve => { indexedDB.open('base').onsuccess = event => resolve(event.target.result.close()) }),
  caches.open('cache').then(cache => cache.put('/kept', new Response('1'))),
  navigator.serviceWorker.register('/worker.js'), navigator.serviceWorker.ready
]).then(() => 1)`,
      bounds,
    )
    const kept = `(async () => [document.cookie, Object.keys(localStorage), Object.keys(sessionStorage),
  await indexedDB.databases(), await caches.keys(), await navigator.serviceWorker.getRegistrations()].flat())()`
    expect(await window.call(kept, bounds)).toHaveLength(6)
    await window.clearSession()
    const again = nextEvent(window, 'loaded')
    await window.reload()
    await again
    expect(site.requests.get('/')?.map(({ cookie }) => cookie)).toEqual([undefined, undefined])
    expect(await window.call(kept, bounds)).toEqual([''])
    const elsewhere = nextEvent(window, 'loaded')
    await window.navigate(`${other.origin}/`)
    await elsewhere
    expect(other.requests.get('/')?.at(-1)?.cookie).toBeUndefined()
    expect(await window.call('Object.keys(localStorage)', bounds)).toEqual([])
  })
})
