import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import type { OwnPage, WindowNotice } from '../own-content.ts'
import type { ContractCase } from './contract-case.ts'

const ownPage: OwnPage = {
  title: 'Not <b>reached</b> & "quoted"',
  paragraphs: ['Look at the network.', '<script>globalThis.evil = 1</script>'],
  buttons: [{ action: 'retry', label: 'Try again' }],
}

const notice: WindowNotice = {
  text: 'A <i>newer</i> version is there.',
  followLabel: 'Download',
  dismissLabel: 'Dismiss',
}

/** What the wrapper shows by itself. */
export const ownContentCases: readonly ContractCase[] = [
  {
    name: 'shows a page of the wrapper’s own until the next navigation',
    async run(stage) {
      const { window, events } = await stage.openLoaded()
      await window.showOwnPage(ownPage)
      await events.next('unloading')
      const error = await window.call('hello', stage.bounds).catch((thrown: unknown) => thrown)
      equal(error instanceof Error && 'code' in error && error.code, 'ERR_PAGE_CALL')
      await window.ping(stage.bounds)
      await window.navigate(`${stage.site.origin}/next`)
      await events.next('loaded', ({ url }) => url.endsWith('/next'))
      equal(await window.call('there', stage.bounds), 'there')
    },
  },
  {
    name: 'leads back to the page before by reload',
    async run(stage) {
      const { window, events } = await stage.openLoaded()
      await window.showOwnPage(ownPage)
      await events.next('unloading')
      await window.reload()
      deepEqual(await events.next('loaded'), { url: `${stage.site.origin}/` })
      equal(await window.call('there', stage.bounds), 'there')
    },
  },
  {
    name: 'tells which button of that page was pressed',
    needs: ['press'],
    async run(stage) {
      const opened = await stage.openLoaded()
      await opened.window.showOwnPage(ownPage)
      await stage.provoke.press?.(opened, 'Try again')
      deepEqual(await opened.events.next('ownPageAction'), { action: 'retry' })
    },
  },
  {
    name: 'shows a notice beside whatever page there is, and takes it away',
    async run(stage) {
      const { window, events } = await stage.openLoaded()
      await window.setNotice(notice)
      equal(await window.call('there', stage.bounds), 'there')
      await window.reload()
      await events.next('loaded')
      equal(await window.call('there', stage.bounds), 'there')
      await window.setNotice(undefined)
      await window.setNotice(undefined)
      ok(!events.names.includes('noticeAction'))
    },
  },
  {
    name: 'tells that the notice was followed, also after a reload',
    needs: ['press'],
    async run(stage) {
      const opened = await stage.openLoaded()
      await opened.window.setNotice(notice)
      await opened.window.reload()
      await opened.events.next('loaded')
      await stage.provoke.press?.(opened, 'Download')
      deepEqual(await opened.events.next('noticeAction'), { action: 'follow' })
    },
  },
  {
    name: 'tells that the notice was put away',
    needs: ['press'],
    async run(stage) {
      const opened = await stage.openLoaded()
      await opened.window.setNotice(notice)
      await stage.provoke.press?.(opened, 'Dismiss')
      deepEqual(await opened.events.next('noticeAction'), { action: 'dismiss' })
    },
  },
  {
    name: 'refuses what it cannot show once its window is closed',
    async run(stage) {
      const { window } = await stage.openLoaded()
      await window.close()
      await rejects(window.showOwnPage(ownPage), { code: 'ERR_ENGINE', fault: 'gone' })
      await rejects(window.setNotice(notice), { code: 'ERR_ENGINE', fault: 'gone' })
    },
  },
]
