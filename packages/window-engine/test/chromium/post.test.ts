import { nextEvent } from '@service-link/test-kit/next-event'
import { serveSite, type TestPages, type TestSite } from '@service-link/test-kit/site'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, it } from 'vitest'
import type { EngineWindow } from '../../src/engine.ts'

const bounds = { timeoutMs: 60_000 }
const pageScript = `send => { globalThis.__wrapperHost = { receive: expression => (0, eval)(expression) } }`
const payload = 'eyJ0.a+b/c='
const pages: TestPages = {
  '/': '<p>app',
  '/partner/payload': {
    status: 303,
    headers: { location: '/signed-in', 'set-cookie': 'session=1; Path=/' },
    body: '',
  },
  '/refused': { status: 403, body: '<p>refused' },
  '/page': '<p>page',
  '/repeated': { status: 307, headers: { location: '/page' }, body: '' },
  '/signed-in': '<p>signed in',
}

/** A window with the site's first page. */
async function openAt(site: TestSite) {
  const opened = await openTestWindow({
    url: `${site.origin}/`,
    pageScript,
    userAgentSuffix: 'Suffix/1',
  })
  await nextEvent(opened.window, 'loaded')
  return opened
}
const requestsOf = (site: TestSite) =>
  site.posted
    .filter(({ path }) => path !== '/favicon.ico')
    .map(({ method, path, body }) => [method, path, body])
const traces = (window: EngineWindow) =>
  window.call(
    `JSON.stringify([location.href, document.referrer, performance.getEntries(), history.state])`,
    bounds,
  )

describe.runIf(hasBrowser)('posting a form', () => {
  it('is sent as a browser’s form, and its redirect is followed [4.1-post] [4.1-page]', async () => {
    await using site = await serveSite(pages)
    await using opened = await openAt(site)
    const loaded = nextEvent(opened.window, 'loaded')
    expect(await opened.window.post(`${site.origin}/partner/payload`, { payload }, bounds)).toEqual({
      status: 303,
    })
    expect(await loaded).toEqual({ url: `${site.origin}/signed-in` })
    expect(requestsOf(site)).toEqual([
      ['GET', '/', ''],
      ['POST', '/partner/payload', new URLSearchParams({ payload }).toString()],
      ['GET', '/signed-in', ''],
    ])
    const { headers } = site.posted.find(({ method }) => method === 'POST') ?? {}
    expect(headers).toMatchObject({
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'none',
      'sec-fetch-mode': 'navigate',
      'user-agent': expect.stringMatching(/ Suffix\/1$/),
    })
    expect(headers).not.toHaveProperty('referer')
    expect(site.posted.find(({ path }) => path === '/signed-in')?.headers.cookie).toBe('session=1')
    expect(await traces(opened.window)).not.toContain('eyJ0')
  })

  it('does not reach a service worker of the site', async () => {
    const script = `<script>navigator.serviceWorker.register('/worker.js')</script>`
    const worker = `oninstall = () => skipWaiting()
onactivate = event => event.waitUntil(clients.claim())
onfetch = event => event.request.mode === 'navigate' && fetch('/told?' + new URL(event.request.url).pathname)`
    await using site = await serveSite({
      ...pages,
      '/': `<p>app${script}`,
      '/worker.js': { type: 'text/javascript', body: worker },
      '/told': '',
    })
    await using opened = await openAt(site)
    const isControlled = () => opened.window.call('!!navigator.serviceWorker.controller', bounds)
    await expect.poll(isControlled, { timeout: 60_000 }).toBe(true)
    await opened.window.navigate(`${site.origin}/page`)
    await site.nextRequest('/told')
    expect(await opened.window.post(`${site.origin}/partner/payload`, { payload }, bounds)).toEqual({
      status: 303,
    })
    expect(site.posted.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(site.queries.filter(query => query.startsWith('/told'))).toEqual(['/told?/page'])
  })

  it('is given up after its time or with its signal, and goes only to http and https', async () => {
    await using site = await serveSite({ ...pages, '/silent': 'never' })
    await using opened = await openAt(site)
    const { window } = opened
    await expect(window.post('javascript:1', { payload }, bounds)).rejects.toMatchObject({
      fault: 'navigation',
    })
    await expect(
      window.post(`${site.origin}/silent`, { payload }, { timeoutMs: 1000 }),
    ).rejects.toMatchObject({
      fault: 'timeout',
    })
    const given = new AbortController()
    const posting = window.post(`${site.origin}/silent`, { payload }, { ...bounds, signal: given.signal })
    given.abort(new Error('given up'))
    await expect(posting).rejects.toThrow('given up')
  })
})
