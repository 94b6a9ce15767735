import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import type { JsonValue } from '../engine.ts'
import { type ContractCase, own, shared } from './contract-stage.ts'

const values: readonly JsonValue[] = [
  'Åse 😀 \u2028 "quoted" </script>',
  { a: [1, null, { b: true }], c: {}, __proto__x: 1.5 },
  [],
  0,
  false,
  'ø'.repeat(1_000_000),
]

/** Calls into the page, and its messages. */
export const callCases: readonly ContractCase[] = [
  shared('carries JSON values into the page and back', 'script', async stage => {
    const { window } = await stage.openLoaded()
    for (const value of values) deepEqual(await window.call(value, stage.bounds), value)
    equal(await window.call('nothing', stage.bounds), undefined)
  }),
  shared('reports the page’s messages in order, with their origin', 'script', async stage => {
    const { window, events } = await stage.openLoaded()
    const { origin } = stage.site
    deepEqual(await events.next('message'), { value: 'script', origin })
    for (const value of values) {
      await window.call({ send: value }, stage.bounds)
      deepEqual(await events.next('message'), { value, origin })
    }
  }),
  shared('fails a call whose function fails, without the text of its error', 'script', async stage => {
    const { window } = await stage.openLoaded()
    const failing = window.call('fail', stage.bounds)
    await rejects(failing, { code: 'ERR_PAGE_CALL', fault: 'rejected' })
    await rejects(failing, error => !String(error).includes('Nordmann'))
    await rejects(window.call('loop', stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'rejected' })
    equal(await window.call('still there', stage.bounds), 'still there')
  }),
  own('fails a call into a page that takes no calls', 'script', async stage => {
    const { window } = await stage.openLoaded('/', { pageScript: 'send => undefined' })
    await rejects(window.call('hello', stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'no-listener' })
  }),
  shared('fails a call without an answer in time, and carries out the next', 'script', async stage => {
    const { window } = await stage.openLoaded()
    await rejects(window.call('wait', { timeoutMs: 50 }), { code: 'ERR_PAGE_CALL', fault: 'timeout' })
    equal(await window.call('next', stage.bounds), 'next')
  }),
  shared('gives up a call when its signal aborts', 'script', async stage => {
    const { window, events } = await stage.openLoaded()
    const controller = new AbortController()
    const reason = new Error('given up')
    const options = { ...stage.bounds, signal: controller.signal }
    const refused = rejects(window.call('wait', options), reason)
    await events.next('message', ({ value }) => value === 'waiting')
    controller.abort(reason)
    await refused
    await rejects(window.call('never sent', options), reason)
    equal(await window.call('next', stage.bounds), 'next')
  }),
  shared('fails a call whose page goes away before it answers', 'script', async stage => {
    const { window, events } = await stage.openLoaded()
    const refused = rejects(window.call('wait', stage.bounds), { fault: 'navigated' })
    await events.next('message', ({ value }) => value === 'waiting')
    await window.reload()
    await refused
    await events.next('unloading')
    await events.next('loaded')
    equal(await window.call('again', stage.bounds), 'again')
  }),
  shared('refuses an answer that is too long, and carries out the next', 'pages', async stage => {
    const { window } = await stage.openLoaded()
    await rejects(window.call('long', stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'too-large' })
    equal(await window.call('next', stage.bounds), 'next')
  }),
]

/** Origins that may talk to the host. */
export const originCases: readonly ContractCase[] = [
  own('does not call a page of another origin, and ignores its messages', 'script', async stage => {
    const { window, events } = await stage.openLoaded('/', { url: `${stage.site.foreignOrigin}/` })
    await rejects(window.call('hello', stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'foreign-origin' })
    ok(!events.names.includes('message'))
    await window.ping(stage.bounds)
    await stage.load({ window, events }, '/next')
    deepEqual(await events.next('message'), { value: 'script', origin: stage.site.origin })
  }),
  shared('runs the page script before the page’s own', 'pages', async stage => {
    const { window } = await stage.openLoaded('/early')
    equal(await window.call({ run: 'globalThis.seen' }, stage.bounds), 'object')
  }),
  shared('runs no page script in frames', 'pages', async stage => {
    const { window, events } = await stage.openLoaded('/frames')
    const framed = `new Promise(resolve => {
      const look = () => globalThis.framed ? resolve(globalThis.framed) : setTimeout(look, 10)
      look()
    })`
    equal(await window.call({ run: framed }, stage.bounds), 'undefined')
    equal(events.names.filter(name => name === 'message').length, 1)
  }),
  shared('gives the page no other way to the host', 'pages', async stage => {
    const { window } = await stage.openLoaded()
    // Only the page script's port is new in the global object.
    const names = `(() => {
      const frame = document.body.appendChild(document.createElement('iframe'))
      const own = Object.getOwnPropertyNames(frame.contentWindow)
      return Object.getOwnPropertyNames(globalThis).filter(name => !own.includes(name) && !/^\\d+$/.test(name))
    })()`
    deepEqual(await window.call({ run: names }, stage.bounds), ['__wrapperHost'])
  }),
]
