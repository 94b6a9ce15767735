import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { type ContractCase, type ContractStage, type ContractWindow, shared } from './contract-stage.ts'

/** Pages that hang or crash. */
export const recoveryCases: readonly ContractCase[] = [
  shared('does not report a hang when the server of the next page is slow', 'pages', async stage => {
    const { window } = await stage.openLoaded()
    // The next navigation ends it.
    window.navigate(`${stage.site.origin}/never`).catch(() => undefined)
    await stage.site.nextRequest('/never')
    await window.ping(stage.bounds)
  }),
  shared('reports a hanging page, and gives it a new process', 'hangPage', async stage => {
    const opened = await stage.openLoaded()
    await stage.provoke.hangPage?.(opened)
    await answersAgain(stage, opened, 'timeout')
  }),
  shared('reports a page that loads without end, and gives it a new process', 'pages', async stage => {
    const opened = await stage.openLoaded()
    const hanging = rejects(opened.window.call('hang', stage.bounds), { code: 'ERR_PAGE_CALL' })
    await opened.events.next('message', ({ value }) => value === 'hanging')
    await answersAgain(stage, opened, 'timeout')
    await hanging
    // The end of the process was asked for.
    ok(!opened.events.names.includes('pageCrashed'))
  }),
  shared('reports a crashed page, fails its calls, and gives it a new process', 'crashPage', async stage => {
    const opened = await stage.openLoaded()
    const refused = rejects(opened.window.call('wait', stage.bounds), { fault: 'crashed' })
    await opened.events.next('message', ({ value }) => value === 'waiting')
    await stage.provoke.crashPage?.(opened)
    await opened.events.next('pageCrashed')
    await refused
    await rejects(opened.window.call('no', stage.bounds), { code: 'ERR_PAGE_CALL', fault: 'crashed' })
    await answersAgain(stage, opened, 'crashed')
  }),
  shared('gives the page a new process with another web address', 'script', async stage => {
    const { window, events } = await stage.openLoaded()
    await rejects(window.restartPage({ url: 'javascript:alert(1)' }), { fault: 'navigation' })
    await window.ping(stage.bounds)
    await window.restartPage({ url: `${stage.site.origin}/next` })
    deepEqual(await events.next('loaded'), { url: `${stage.site.origin}/next` })
    equal(await window.call('alive', stage.bounds), 'alive')
  }),
  shared('does not request a posted page again in a new process', 'pages', async stage => {
    const { window, events } = await stage.openLoaded()
    const url = `${stage.site.origin}/next`
    deepEqual(await window.post(url, { payload: 'x' }, stage.bounds), { status: 200 })
    await events.next('loaded', loaded => loaded.url === url)
    await window.restartPage({ url: `${stage.site.origin}/` })
    await events.next('loaded', loaded => loaded.url === `${stage.site.origin}/`)
    deepEqual(
      stage.site.requests.filter(request => request.url === '/next').map(({ method }) => method),
      ['POST'],
    )
  }),
  shared('loads a crashed page again by reload', 'crashPage', async stage => {
    const { window, events, ...opened } = await stage.openLoaded()
    await stage.provoke.crashPage?.({ window, events, ...opened })
    await events.next('pageCrashed')
    await stage.load({ window, events })
    equal(await window.call('alive', stage.bounds), 'alive')
  }),
]

async function answersAgain(
  stage: ContractStage,
  { window, events }: ContractWindow,
  fault: 'timeout' | 'crashed',
): Promise<void> {
  await rejects(window.ping({ timeoutMs: 500 }), { code: 'ERR_PAGE_CALL', fault })
  await window.restartPage()
  await events.next('loaded')
  await window.ping(stage.bounds)
  equal(await window.call('alive', stage.bounds), 'alive')
}
