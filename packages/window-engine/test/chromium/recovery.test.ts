import { nextEvent } from '@service-link/test-kit/next-event'
import { canListProcesses, killRenderers, mainPid } from '@service-link/test-kit/processes'
import { serveSite } from '@service-link/test-kit/site'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { afterAll, describe, expect, it } from 'vitest'
import type { EngineWindow } from '../../src/engine.ts'

const bounds = { timeoutMs: 60_000 }
const pageScript = `send => {
  globalThis.__wrapperHost = { receive: expression => (0, eval)(expression) }
}`
/** Calls that never end. */
const begin = (window: EngineWindow, script: string) =>
  void window.call(script, bounds).catch(() => undefined)
const polling = { timeout: 60_000 }
const faultOf = (window: EngineWindow) =>
  window.ping({ timeoutMs: 1000 }).then(
    () => 'none',
    error => error.fault,
  )
const hang = `setTimeout(() => { for (;;); })`

async function openPage() {
  const site = await serveSite({ '/': '<p>page', '/slow': 'never' })
  const opened = await openTestWindow({ url: `${site.origin}/`, pageScript })
  await nextEvent(opened.window, 'loaded')
  const told: string[] = []
  for (const name of ['unloading', 'loaded', 'pageCrashed'] as const)
    opened.window.on(name, () => void told.push(name))
  return {
    ...opened,
    site,
    told,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
    },
  }
}

type OpenPage = Awaited<ReturnType<typeof openPage>>

describe.runIf(hasBrowser)('a page that', () => {
  let shared: OpenPage | undefined
  afterAll(() => shared?.[Symbol.asyncDispose]())

  /** Shows the page in the window of the test before, unless that is closed. */
  async function showPage(): Promise<OpenPage> {
    if (shared && (await shared.window.windowState()) !== 'closed') {
      const loaded = nextEvent(shared.window, 'loaded')
      await shared.window.navigate(`${shared.site.origin}/`)
      await loaded
      shared.told.length = 0
      return shared
    }
    await shared?.[Symbol.asyncDispose]()
    shared = await openPage()
    return shared
  }

  it('has an endless callback in its beforeunload gets a new process and is loaded again', async () => {
    const page = await showPage()
    const { window, told } = page
    begin(window, `addEventListener('beforeunload', () => { for (;;); })`)
    const loaded = nextEvent(window, 'loaded')
    await window.restartPage()
    expect(await loaded).toEqual({ url: `${page.site.origin}/` })
    expect(await window.call('6 * 7', bounds)).toBe(42)
    expect(told).toEqual(['unloading', 'loaded'])
  })

  it('hangs can be closed', async () => {
    const page = await showPage()
    begin(page.window, hang)
    await expect.poll(() => faultOf(page.window), polling).toBe('timeout')
    await page.window.close()
    expect(await page.window.windowState()).toBe('closed')
  })

  it('hangs while it unloads gets a new process', async () => {
    const page = await showPage()
    const { window } = page
    await window.call(`addEventListener('beforeunload', () => { for (;;); })`, bounds)
    const going = window.navigate(`${page.site.origin}/slow`).catch(() => undefined)
    await expect.poll(() => faultOf(window), polling).toBe('timeout')
    const loaded = nextEvent(window, 'loaded')
    await window.restartPage()
    expect(await loaded).toEqual({ url: `${page.site.origin}/` })
    await going
  })

  it('hangs is replaced by a page of the wrapper', async () => {
    const page = await showPage()
    const { window } = page
    begin(window, hang)
    await expect.poll(() => faultOf(window), polling).toBe('timeout')
    const ownPage = { title: 'Stuck', paragraphs: [], buttons: [] }
    await window.showOwnPage(ownPage)
    await window.ping(bounds)
    await expect(window.call('1', bounds)).rejects.toMatchObject({ fault: 'foreign-origin' })
  })

  it.runIf(canListProcesses)('is stopped as a whole gets a new process', async () => {
    const page = await showPage()
    const { window } = page
    await killRenderers(page.profileFolder, 'SIGSTOP')
    await expect.poll(() => faultOf(window), polling).toBe('timeout')
    const loaded = nextEvent(window, 'loaded')
    await window.restartPage()
    await loaded
    expect(await window.call('6 * 7', bounds)).toBe(42)
  })
})

describe.runIf(hasBrowser && canListProcesses)('the end of a window', () => {
  it.each([
    ['a loss when its browser crashed', 'SIGSEGV', true],
    ['none when its session ends', 'SIGTERM', false],
  ] as const)('is %s', async (_title, signal, isLost) => {
    await using page = await openPage()
    const closed = nextEvent(page.window, 'closed')
    process.kill(await mainPid(page.profileFolder), signal)
    expect(await closed).toEqual({ isLost })
  })
})
