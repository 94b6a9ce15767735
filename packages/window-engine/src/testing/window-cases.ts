import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { Deadline, pause } from '@service-link/protocol-core/time'
import type { EngineWindow, OwnPage, WindowNotice, WindowState } from '../engine.ts'
import { type ContractCase, own, shared } from './contract-stage.ts'

const lookAgainMs = 20

/** The window itself. */
export const windowCases: readonly ContractCase[] = [
  shared('minimizes its window and shows it again', 'script', async stage => {
    const { window } = await stage.openLoaded()
    await window.minimise()
    await untilState(window, 'minimised', stage.bounds.timeoutMs)
    equal(await window.call('still there', stage.bounds), 'still there')
    await window.minimise()
    await window.show()
    await untilState(window, 'normal', stage.bounds.timeoutMs)
    await window.show()
    equal(await window.call('there', stage.bounds), 'there')
  }),
  shared('hides its window, if it can, and minimizes it or shows it again', 'script', async stage => {
    const { window } = await stage.openLoaded()
    if (!window.hide) return
    for (const bringBack of [() => window.minimise(), async () => undefined]) {
      await window.hide()
      await untilState(window, 'minimised', stage.bounds.timeoutMs)
      equal(await window.call('still there', stage.bounds), 'still there')
      await bringBack()
      await window.show()
      await untilState(window, 'normal', stage.bounds.timeoutMs)
    }
  }),
  own('lets its user close the window', 'userClose', async stage => {
    const opened = await stage.openLoaded()
    await stage.provoke.userClose?.(opened)
    deepEqual(await opened.events.next('closed'), { isLost: false })
    equal(await opened.window.windowState(), 'closed')
  }),
  own('minimizes its window when its user closes it, while that is wanted', 'userClose', async stage => {
    const opened = await stage.openLoaded()
    opened.window.setMinimiseOnClose(true)
    equal(await opened.window.call('there', stage.bounds), 'there')
    await stage.provoke.userClose?.(opened)
    await opened.events.next('closeVetoed')
    await untilState(opened.window, 'minimised', stage.bounds.timeoutMs)
    equal(await opened.window.call('still there', stage.bounds), 'still there')
    await opened.window.show()
    await untilState(opened.window, 'normal', stage.bounds.timeoutMs)
    opened.window.setMinimiseOnClose(false)
    await stage.provoke.userClose?.(opened)
    await opened.events.next('closed')
  }),
  own(
    'keeps a window that is opened as a kiosk for its user, and closes it for its owner',
    'userClose',
    async stage => {
      const opened = await stage.openLoaded('/', { isKiosk: true })
      equal(await opened.window.call('there', stage.bounds), 'there')
      await stage.provoke.userClose?.(opened)
      await opened.events.next('closeVetoed')
      equal(await opened.window.call('still there', stage.bounds), 'still there')
      equal(await opened.window.windowState(), 'normal')
      await opened.window.close()
      await opened.events.next('closed')
    },
  ),
  own('closes its window for its owner even if closing by the user minimizes it', 'script', async stage => {
    const { window, events } = await stage.openLoaded()
    window.setMinimiseOnClose(true)
    await window.close()
    await events.next('closed')
    ok(!events.names.includes('closeVetoed'))
  }),
  own('opens with a zoom', 'pages', async stage => {
    const width = async (zoom: number) => {
      const { window } = await stage.openLoaded('/', { zoom, placement })
      const measured = Number(await window.call({ run: 'innerWidth' }, stage.bounds))
      await window.close()
      return measured
    }
    const [own, large] = [await width(1), await width(2)]
    ok(large < own * 0.75, `${large} pixels of the page at twice its size, ${own} at its own`)
  }),
  own('reports the place and size of the window after its user moves it', 'userMove', async stage => {
    const opened = await stage.openLoaded('/', { placement })
    await stage.provoke.userMove?.(opened)
    const moved = await opened.events.next(
      'appearanceChanged',
      ({ placement: now }) => !isDeepStrictEqual(now, placement),
    )
    equal(moved.zoom, 1)
  }),
]

const placement = { left: 40, top: 40, width: 700, height: 500 }

async function untilState(window: EngineWindow, wanted: WindowState, waitMs: number): Promise<void> {
  const deadline = new Deadline(waitMs)
  while ((await window.windowState()) !== wanted && !deadline.isOver) await pause(lookAgainMs)
  equal(await window.windowState(), wanted)
}

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

/** The wrapper's own page and notice. */
export const ownContentCases: readonly ContractCase[] = [
  shared('shows the wrapper’s page until the next navigation', 'script', async stage => {
    const { window, events } = await stage.openLoaded()
    await window.showOwnPage(ownPage)
    await events.next('unloading')
    await rejects(window.call('hello', stage.bounds), { code: 'ERR_PAGE_CALL' })
    await window.ping(stage.bounds)
    await stage.load({ window, events }, '/next')
    equal(await window.call('there', stage.bounds), 'there')
  }),
  shared('returns to the former page by reload', 'script', async stage => {
    const { window, events } = await stage.openLoaded()
    await window.showOwnPage(ownPage)
    await events.next('unloading')
    await window.reload()
    deepEqual(await events.next('loaded'), { url: `${stage.site.origin}/` })
    equal(await window.call('there', stage.bounds), 'there')
  }),
  shared('reports the pressed button of that page', 'press', async stage => {
    const opened = await stage.openLoaded()
    await opened.window.showOwnPage(ownPage)
    await stage.provoke.press?.(opened, 'Try again')
    deepEqual(await opened.events.next('ownPageAction'), { action: 'retry' })
  }),
  shared('shows a notice beside any page, and removes it', 'script', async stage => {
    const { window, events } = await stage.openLoaded()
    await window.setNotice(notice)
    equal(await window.call('there', stage.bounds), 'there')
    await stage.load({ window, events })
    equal(await window.call('there', stage.bounds), 'there')
    await window.setNotice(undefined)
    await window.setNotice(undefined)
    ok(!events.names.includes('noticeAction'))
  }),
  shared('reports that the notice was followed, also after a reload, or dismissed', 'press', async stage => {
    const opened = await stage.openLoaded()
    await opened.window.setNotice(notice)
    await stage.load(opened)
    await stage.provoke.press?.(opened, 'Download')
    deepEqual(await opened.events.next('noticeAction'), { action: 'follow' })
    await opened.window.setNotice(notice)
    await stage.provoke.press?.(opened, 'Dismiss')
    deepEqual(await opened.events.next('noticeAction'), { action: 'dismiss' })
  }),
]
