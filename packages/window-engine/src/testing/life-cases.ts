import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { type ContractCase, own, shared } from './contract-stage.ts'

/** Opening and closing windows. */
export const lifeCases: readonly ContractCase[] = [
  own('opens a window at its address, and reports the loaded page', 'script', async stage => {
    const probe = await stage.engine.probe(undefined, { isDescribed: false })
    equal(probe.isAvailable, true)
    const { window, events } = await stage.openWindow()
    deepEqual(await events.next('loaded'), { url: `${stage.site.origin}/` })
    equal(await window.windowState(), 'normal')
  }),
  own('closes its window, reports that once, and ends its calls', 'script', async stage => {
    const { window, events } = await stage.openLoaded()
    const refused = rejects(window.call('wait', stage.bounds), { fault: 'closed' })
    await events.next('message', ({ value }) => value === 'waiting')
    await window.close()
    await refused
    deepEqual(await events.next('closed'), { isLost: false })
    equal(await window.windowState(), 'closed')
    await window.close()
    await window[Symbol.asyncDispose]()
    equal(events.names.filter(name => name === 'closed').length, 1)
    equal(events.names.at(-1), 'closed')
    await rejects(window.call('late', stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'closed' })
    await rejects(window.ping(stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'closed' })
    const gone = { code: 'ERR_ENGINE', fault: 'gone' }
    await rejects(window.reload(), gone)
    await rejects(window.showOwnPage({ title: 'Late', paragraphs: [], buttons: [] }), gone)
    const notice = { text: 'Late', followLabel: 'Follow', dismissLabel: 'Dismiss' }
    await rejects(window.setNotice(notice), gone)
    equal(await window.canReach(`${stage.site.origin}/`, stage.bounds), false)
  }),
  own('opens nothing after its signal has aborted', 'script', async stage => {
    const reason = new Error('given up')
    const options = await stage.windowOptions('/', { signal: AbortSignal.abort(reason) })
    await rejects(stage.engine.open(options), reason)
    equal(stage.site.requests.length, 0)
  }),
  own('gives up when its signal aborts while the window opens', 'pages', async stage => {
    const controller = new AbortController()
    const reason = new Error('given up')
    const opening = stage.engine.open(await stage.windowOptions('/', { signal: controller.signal }))
    controller.abort(reason)
    await rejects(opening, reason)
  }),
  own('reports a first address without a server, without its path', 'pages', async stage => {
    // No server listens on port 1.
    const url = 'http://127.0.0.1:1/secret-path'
    const { events } = await stage.openWindow('/', { url })
    const failed = await events.next('loadFailed')
    equal(failed.url, url)
    ok(!failed.reason.includes('secret-path'))
    ok(!events.names.includes('loaded'))
  }),
  own('gives pages and requests the suffix of the user agent and the languages', 'pages', async stage => {
    const languages = ['nb-NO', 'nb']
    const { window, events } = await stage.openLoaded('/', {
      userAgentSuffix: 'Suffix/1.2 (Acme)',
      languages,
    })
    deepEqual(await window.call({ run: 'navigator.languages' }, stage.bounds), languages)
    await stage.load({ window, events }, '/next')
    equal(await window.call({ run: 'fetch("/early").then(() => "done")' }, stage.bounds), 'done')
    // The browser's request for an icon is not checked.
    for (const path of ['/', '/next', '/early']) {
      const asked = stage.site.requests.find(({ url }) => url === path)
      match(asked?.headers['user-agent'] ?? '', /^Mozilla.* Suffix\/1\.2 \(Acme\)$/)
      match(asked?.headers['accept-language'] ?? '', /^nb-NO,nb\b/)
    }
    await stage.load({ window, events })
    deepEqual(await window.call({ run: 'navigator.languages' }, stage.bounds), languages)
  }),
  own('reports a lost window when its processes end unexpectedly', 'loseEngine', async stage => {
    const opened = await stage.openLoaded()
    const refused = rejects(opened.window.call('wait', stage.bounds), { fault: 'closed' })
    await opened.events.next('message', ({ value }) => value === 'waiting')
    await stage.provoke.loseEngine?.(opened)
    deepEqual(await opened.events.next('closed'), { isLost: true })
    await refused
    equal(await opened.window.windowState(), 'closed')
    await opened.window.close()
  }),
]

/** Sessions. */
export const sessionCases: readonly ContractCase[] = [
  own('keeps a session from one window to the next, in memory', 'pages', async stage => {
    const first = await stage.openLoaded()
    await first.window.call({ run: `document.cookie = 'session=abc'` }, stage.bounds)
    const session = await first.window.saveSession()
    equal(session.engine, stage.engine.name)
    deepEqual(JSON.parse(JSON.stringify(session)), session)
    await first.window.close()

    const second = await stage.openLoaded()
    equal(await second.window.call({ run: 'document.cookie' }, stage.bounds), '')
    await second.window.restoreSession(session)
    // The page may see its former cookies for a moment.
    await stage.load(second)
    equal(await second.window.call({ run: 'document.cookie' }, stage.bounds), 'session=abc')
  }),
  shared('refuses a session of another engine, and one that is damaged', 'script', async stage => {
    const { window } = await stage.openLoaded()
    const session = await window.saveSession()
    const notAvailable = { code: 'ERR_ENGINE', fault: 'not-available' }
    await rejects(window.restoreSession({ ...session, engine: 'other' }), notAvailable)
    await rejects(window.restoreSession({ ...session, data: [{ name: 1 }] }), notAvailable)
  }),
  own('knows nothing of a former window, and leaves no file of it', 'pages', async stage => {
    const first = await stage.openLoaded()
    const leave = `document.cookie = 'lasting=abc; max-age=9999'; localStorage.setItem('kept', 'yes')`
    await first.window.call({ run: leave }, stage.bounds)
    await first.window.close()
    const { profileFolder } = first
    deepEqual(await readdir(profileFolder), [])
    const second = await stage.openLoaded('/next', { profileFolder })
    const left = '[document.cookie, localStorage.length]'
    deepEqual(await second.window.call({ run: left }, stage.bounds), ['', 0])
    const asked = stage.site.requests.find(({ url }) => url === '/next')
    ok(asked && asked.headers.cookie === undefined)
  }),
]
