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
      const left = '[document.cookie, localStorage.length]'
      deepEqual(await window.call({ run: left }, stage.bounds), ['', 0])
    },
  },
]
