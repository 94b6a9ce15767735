import { deepEqual, equal, rejects } from 'node:assert/strict'
import type { ContractCase } from './contract-case.ts'

/** What pages leave. */
export const sessionCases: readonly ContractCase[] = [
  {
    name: 'keeps a session from one window to the next, in memory',
    needs: ['pages'],
    async run(stage) {
      const first = await stage.openLoaded()
      await first.window.call({ run: `document.cookie = 'session=abc'` }, stage.bounds)
      const session = await first.window.saveSession()
      equal(session.engine, stage.engine.name)
      deepEqual(JSON.parse(JSON.stringify(session)), session)
      await first.window.close()

      const second = await stage.openLoaded()
      equal(await second.window.call({ run: 'document.cookie' }, stage.bounds), '')
      await second.window.restoreSession(session)
      // A page that has asked before may be told for a moment what it was told then.
      await second.window.reload()
      await second.events.next('loaded')
      equal(await second.window.call({ run: 'document.cookie' }, stage.bounds), 'session=abc')
    },
  },
  {
    name: 'refuses a session of another engine, and one that is damaged',
    async run(stage) {
      const { window } = await stage.openLoaded()
      const session = await window.saveSession()
      await rejects(window.restoreSession({ ...session, engine: 'other' }), {
        code: 'ERR_ENGINE',
        fault: 'not-available',
      })
      await rejects(window.restoreSession({ ...session, data: [{ name: 1 }] }), {
        code: 'ERR_ENGINE',
        fault: 'not-available',
      })
    },
  },
  {
    name: 'forgets what pages have left',
    needs: ['pages'],
    async run(stage) {
      const { window, events } = await stage.openLoaded()
      const leave = `document.cookie = 'session=abc'; localStorage.setItem('kept', 'yes'); sessionStorage.setItem('kept', 'yes')`
      await window.call({ run: leave }, stage.bounds)
      await window.clearSession()
      await window.reload()
      await events.next('loaded')
      const left = '[document.cookie, localStorage.length, sessionStorage.length]'
      deepEqual(await window.call({ run: left }, stage.bounds), ['', 0, 0])
    },
  },
  {
    name: 'forgets what a window before has left, before it asks for anything, when it is told to',
    needs: ['pages'],
    async run(stage) {
      const first = await stage.openLoaded()
      const leave = `document.cookie = 'lasting=abc; max-age=9999'; localStorage.setItem('kept', 'yes')`
      await first.window.call({ run: leave }, stage.bounds)
      await first.window.close()
      const { profileFolder } = first
      const second = await stage.openLoaded('/next', { profileFolder, isSessionForgotten: true })
      const left = '[document.cookie, localStorage.length]'
      deepEqual(await second.window.call({ run: left }, stage.bounds), ['', 0])
      equal(stage.site.requests.find(({ url }) => url === '/next')?.cookie, '')
    },
  },
  {
    name: 'leaves no page to go back to once what pages have left is forgotten',
    needs: ['pages'],
    async run(stage) {
      const { window, events } = await stage.openLoaded()
      await window.call({ run: `globalThis.name = 'kept'; location.href = '/next'` }, stage.bounds)
      await events.next('loaded')
      await window.call({ run: `history.pushState('kept', '', '/next')` }, stage.bounds)
      equal(await window.call({ run: 'history.length' }, stage.bounds), 3)
      await window.clearSession()
      await window.navigate(`${stage.site.origin}/early`)
      await events.next('loaded')
      deepEqual(await window.call({ run: '[history.length, globalThis.name]' }, stage.bounds), [1, ''])
      const before = stage.site.requests.length
      await window.call({ run: 'history.back()' }, stage.bounds)
      equal(await window.call({ run: 'location.pathname' }, stage.bounds), '/early')
      equal(stage.site.requests.length, before)
    },
  },
]
