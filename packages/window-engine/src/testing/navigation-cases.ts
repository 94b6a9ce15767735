import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { type ContractCase, own, shared } from './contract-stage.ts'

/** Scripts by which a page leaves. Each answers before the page is gone. */
const leave = {
  byLink: (url: string) =>
    `void document.body.appendChild(Object.assign(document.createElement('a'), { href: '${url}' })).click()`,
  byScript: (url: string) => `void setTimeout(() => { location.href = '${url}' })`,
  byForm: (url: string) => `{
    const form = document.body.appendChild(document.createElement('form'))
    Object.assign(form, { method: 'post', action: '${url}' })
    form.innerHTML = '<input name=SAMLRequest value=x>'
    void setTimeout(() => form.submit())
  }`,
}

/** Navigation. */
export const navigationCases: readonly ContractCase[] = [
  shared('goes to another address, and reports both pages', 'script', async stage => {
    const { window, events } = await stage.openLoaded()
    await window.navigate(`${stage.site.origin}/next`)
    deepEqual(await events.next('loaded'), { url: `${stage.site.origin}/next` })
    const { names } = events
    ok(names.indexOf('unloading') < names.lastIndexOf('loaded'))
    equal(await window.call('there', stage.bounds), 'there')
  }),
  shared('goes to http and https addresses only', 'script', async stage => {
    const { window } = await stage.openLoaded()
    for (const url of [
      'file:///etc/passwd',
      'javascript:alert(1)',
      'chrome://version',
      'data:text/html,x',
      'nonsense',
    ])
      await rejects(window.navigate(url), { code: 'ERR_ENGINE', fault: 'navigation' })
    equal(await window.call('still there', stage.bounds), 'still there')
  }),
  shared('reports an address that cannot be opened', 'pages', async stage => {
    const { window, events } = await stage.openLoaded()
    await rejects(window.navigate('http://127.0.0.1:1/'), { code: 'ERR_ENGINE', fault: 'navigation' })
    equal((await events.next('loadFailed')).url, 'http://127.0.0.1:1/')
    await stage.load({ window, events }, '/next')
  }),
  own('goes where its host says before the first address has come', 'pages', async stage => {
    const { window, events } = await stage.openWindow('/')
    await stage.load({ window, events }, '/next')
    equal(await window.call({ run: 'location.pathname' }, stage.bounds), '/next')
  }),
  shared('goes where its host says last, also while another page comes', 'pages', async stage => {
    const { window, events } = await stage.openLoaded()
    for (let round = 0; round < 20; round++) {
      stage.site.forgetRequests()
      window.navigate(`${stage.site.origin}/next`).catch(() => undefined)
      await stage.site.nextRequest('/next')
      await stage.load({ window, events }, '/signed-on')
    }
    // The page may have loaded twice: its script runs before this is answered.
    await window.ping(stage.bounds)
    equal(await window.call({ run: 'location.pathname' }, stage.bounds), '/signed-on')
  }),
  own('counts a server that reports its service as down as not reached', 'pages', async stage => {
    const { events } = await stage.openWindow('/down')
    equal((await events.next('loadFailed')).url, `${stage.site.origin}/down`)
    ok(!events.names.includes('loaded'))
  }),
  shared('keeps links of the web app from leading the window to another origin', 'pages', async stage => {
    const { window, events } = await stage.openLoaded()
    await window.call({ run: leave.byLink(`${stage.site.foreignOrigin}/link`) }, stage.bounds)
    // A request of the link would come before these two.
    for (const path of ['/next', '/signed-on'])
      await window.call({ run: `fetch('${path}', { cache: 'no-store' }).then(() => 1)` }, stage.bounds)
    ok(!stage.site.requests.some(({ url }) => url === '/link'))
    ok(!events.names.includes('unloading'))
  }),
  shared('follows a script and a form to another origin, as for a sign-in', 'pages', async stage => {
    const { window, events } = await stage.openLoaded()
    const { foreignOrigin, requests } = stage.site
    for (const script of [leave.byScript(`${foreignOrigin}/next`), leave.byForm(`${foreignOrigin}/next`)]) {
      await window.call({ run: script }, stage.bounds)
      await events.next('loaded', ({ url }) => url === `${foreignOrigin}/next`)
      await stage.load({ window, events }, '/')
    }
    const asked = requests.filter(({ url }) => url === '/next')
    deepEqual(
      asked.map(({ method, body }) => [method, body]),
      [
        ['GET', ''],
        ['POST', 'SAMLRequest=x'],
      ],
    )
  }),
  shared('reports whether a server answers, and never fails', 'pages', async stage => {
    const { window } = await stage.openLoaded()
    equal(await window.canReach(`${stage.site.origin}/next`, stage.bounds), true)
    equal(await window.canReach(`${stage.site.foreignOrigin}/`, stage.bounds), true)
    equal(await window.canReach('http://127.0.0.1:1/', stage.bounds), false)
    equal(await window.canReach(`${stage.site.origin}/never`, { timeoutMs: 50 }), false)
    equal(await window.canReach(`${stage.site.origin}/down`, stage.bounds), false)
    equal(await window.canReach('nonsense', stage.bounds), false)
    equal(await window.call('still there', stage.bounds), 'still there')
  }),
  shared('gets the beginning of a text, if it can, without the session', 'pages', async stage => {
    const { window } = await stage.openLoaded()
    if (!window.fetchText) return
    await window.call({ run: `document.cookie = 'session=abc'` }, stage.bounds)
    const { origin } = stage.site
    const bounds = { ...stage.bounds, maxBytes: 15 }
    const { status, text } = await window.fetchText(`${origin}/next`, bounds)
    deepEqual([status, text], [200, '<!doctype html>'])
    equal(stage.site.requests.find(({ url }) => url === '/next')?.headers.cookie, undefined)
    const { status: redirect, location } = await window.fetchText(`${origin}/sign-on`, bounds)
    deepEqual([redirect, location], [303, '/signed-on'])
    ok(!stage.site.requests.some(({ url }) => url === '/signed-on'))
    await rejects(window.fetchText('http://127.0.0.1:1/', bounds), { fault: 'navigation' })
    await rejects(window.fetchText(`${origin}/never`, { ...bounds, timeoutMs: 50 }), { fault: 'timeout' })
    await window.call({ run: `document.cookie = 'session=; max-age=0'` }, stage.bounds)
  }),
  shared('posts a form, and keeps it out of addresses', 'pages', async stage => {
    const { window, events } = await stage.openLoaded()
    const form = { payload: 'a.b+c/d=&é' }
    const { status } = await window.post(`${stage.site.origin}/sign-on`, form, stage.bounds)
    ok(status < 400)
    deepEqual(await events.next('loaded'), { url: `${stage.site.origin}/signed-on` })
    const post = stage.site.requests.find(({ method }) => method === 'POST')
    equal(post?.url, '/sign-on')
    equal(post?.headers['content-type'], 'application/x-www-form-urlencoded')
    deepEqual([...new URLSearchParams(post?.body)], Object.entries(form))
    equal(stage.site.requests.filter(({ method }) => method === 'POST').length, 1)
    equal(await window.call('there', stage.bounds), 'there')
  }),
  shared('keeps its page when the server refuses the post', 'pages', async stage => {
    const { window, events } = await stage.openLoaded()
    await window.call({ run: 'globalThis.mark = 7' }, stage.bounds)
    const answer = await window.post(`${stage.site.origin}/refused`, { payload: 'x' }, stage.bounds)
    deepEqual(answer, { status: 401 })
    equal(await window.call({ run: 'globalThis.mark' }, stage.bounds), 7)
    ok(!events.names.includes('unloading'))
    await rejects(window.post('http://127.0.0.1:1/', { payload: 'x' }, stage.bounds), {
      fault: 'navigation',
    })
  }),
]
