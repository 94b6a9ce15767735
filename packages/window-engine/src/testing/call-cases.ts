import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import type { JsonValue } from '../engine.ts'
import type { ContractCase } from './contract-case.ts'

const values: readonly JsonValue[] = [
  'Åse 😀 \u2028 "quoted" </script>',
  { a: [1, null, { b: true }], c: {}, __proto__x: 1.5 },
  [],
  0,
  false,
  'ø'.repeat(100_000),
]

/** Calls into the page, and what it sends by itself. */
export const callCases: readonly ContractCase[] = [
  {
    name: 'carries JSON values into the page and back',
    async run(stage) {
      const { window } = await stage.openLoaded()
      for (const value of values) deepEqual(await window.call(value, stage.bounds), value)
      equal(await window.call('nothing', stage.bounds), undefined)
    },
  },
  {
    name: 'tells what the page sends, in order and with its origin',
    async run(stage) {
      const { window, events } = await stage.openLoaded()
      const { origin } = stage.site
      deepEqual(await events.next('message'), { value: 'script', origin })
      for (const value of values) {
        await window.call({ send: value }, stage.bounds)
        deepEqual(await events.next('message'), { value, origin })
      }
    },
  },
  {
    name: 'fails a call whose function fails, without a word of what it threw',
    async run(stage) {
      const { window } = await stage.openLoaded()
      const error = await window.call('fail', stage.bounds).catch((thrown: unknown) => thrown)
      deepEqual(faultOf(error), ['ERR_PAGE_CALL', 'rejected'])
      ok(!String(error).includes('Nordmann'))
      await rejects(window.call('loop', stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'rejected' })
      equal(await window.call('still there', stage.bounds), 'still there')
    },
  },
  {
    name: 'fails a call into a page that takes none',
    async run(stage) {
      const { window } = await stage.openLoaded('/', { pageScript: 'send => undefined' })
      await rejects(window.call('hello', stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'no-listener' })
    },
  },
  {
    name: 'fails a call that is not answered in time, and carries out the next',
    async run(stage) {
      const { window } = await stage.openLoaded()
      await rejects(window.call('wait', { timeoutMs: 50 }), { code: 'ERR_PAGE_CALL', fault: 'timeout' })
      equal(await window.call('next', stage.bounds), 'next')
    },
  },
  {
    name: 'lets a call be given up by its signal',
    async run(stage) {
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
    },
  },
  {
    name: 'fails a call whose page goes away before it answers',
    async run(stage) {
      const { window, events } = await stage.openLoaded()
      const refused = rejects(window.call('wait', stage.bounds), { fault: 'navigated' })
      await events.next('message', ({ value }) => value === 'waiting')
      await window.reload()
      await refused
      await events.next('unloading')
      await events.next('loaded')
      equal(await window.call('again', stage.bounds), 'again')
    },
  },
  {
    name: 'refuses an answer that is longer than any should be, and carries out the next',
    needs: ['pages'],
    async run(stage) {
      const { window } = await stage.openLoaded()
      await rejects(window.call('long', stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'too-large' })
      equal(await window.call('next', stage.bounds), 'next')
    },
  },
]

function faultOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error && 'fault' in error ? [error.code, error.fault] : error
}
