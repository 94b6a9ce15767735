import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import type { ContractCase } from './contract-case.ts'

/** Who may talk to the host. */
export const originCases: readonly ContractCase[] = [
  {
    name: 'neither calls nor hears a page of another origin',
    async run(stage) {
      const { window, events } = await stage.openLoaded('/', { url: `${stage.site.foreignOrigin}/` })
      await rejects(window.call('hello', stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'foreign-origin' })
      ok(!events.names.includes('message'))
      await window.ping(stage.bounds)
      await window.navigate(`${stage.site.origin}/next`)
      await events.next('loaded', ({ url }) => url.endsWith('/next'))
      deepEqual(await events.next('message'), { value: 'script', origin: stage.site.origin })
    },
  },
  {
    name: 'runs the page script before the page’s own',
    needs: ['pages'],
    async run(stage) {
      const { window } = await stage.openLoaded('/early')
      equal(await window.call({ run: 'globalThis.seen' }, stage.bounds), 'object')
    },
  },
  {
    name: 'runs no page script in frames',
    needs: ['pages'],
    async run(stage) {
      const { window, events } = await stage.openLoaded('/frames')
      const framed = `new Promise(resolve => {
        const look = () => globalThis.framed ? resolve(globalThis.framed) : setTimeout(look, 10)
        look()
      })`
      equal(await window.call({ run: framed }, stage.bounds), 'undefined')
      equal(events.names.filter(name => name === 'message').length, 1)
    },
  },
  {
    name: 'leaves no other way to the host within the page’s reach',
    needs: ['pages'],
    async run(stage) {
      const { window } = await stage.openLoaded()
      // What the page script leaves is its own; everything else of the global object is a browser's.
      const names = `(() => {
        const frame = document.body.appendChild(document.createElement('iframe'))
        const own = Object.getOwnPropertyNames(frame.contentWindow)
        return Object.getOwnPropertyNames(globalThis).filter(name => !own.includes(name) && !/^\\d+$/.test(name))
      })()`
      deepEqual(await window.call({ run: names }, stage.bounds), ['__wrapperHost'])
    },
  },
]
