import { describe, expect, test } from 'vitest'
import { createElectronEngine } from '../../src/electron/create-electron-engine.ts'
import type { EngineWindow, OpenWindowOptions } from '../../src/engine.ts'
import { hasBrowser, openTestWindow } from '../support/browser.ts'
import { type StandInWindow, standInForElectron } from '../support/electron-stand-in.ts'
import { nextEvent } from '../support/events.ts'
import { serveSite } from '../support/site.ts'

const bounds = { timeoutMs: 60_000 }
const evaluating = `send => {
  globalThis.__wrapperHost = { receive: expression => (0, eval)(expression), send }
}`
const follow = (url: string) => `Object.assign(document.createElement('a'), { href: '${url}' }).click()`

/** A window of the adapter, and its stand-in for Electron. */
async function openOnStandIn(options: Partial<OpenWindowOptions> = {}) {
  await using resources = new AsyncDisposableStack()
  const standIn = standInForElectron()
  const site = resources.use(await serveSite({ '/': '<p>page', '/next': '<p>next' }))
  const engine = createElectronEngine(standIn.parts)
  const opened = resources.use(await openTestWindow({ url: `${site.origin}/`, ...options }, engine))
  const owned = resources.move()
  const window: EngineWindow = opened.window
  return {
    ...standIn,
    site,
    window,
    behind: standIn.windows[0] as StandInWindow,
    session: [...standIn.sessions.values()][0],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

describe.runIf(hasBrowser)('a window of the Electron adapter', () => {
  test('gives pages no access to Node, in a session that is in memory alone', async () => {
    await using opened = await openOnStandIn()
    expect(opened.behind.options.webPreferences).toMatchObject({
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
      devTools: false,
    })
    expect(opened.session).toBeDefined()
    expect(opened.behind.options.webPreferences.session).toBe(opened.session)
    expect([...opened.sessions.keys()]).toEqual([expect.not.stringMatching(/^persist:/)])
    expect(opened.behind.webContents.areToolsOpen).toBe(false)
  })

  test('has developer tools on request', async () => {
    await using opened = await openOnStandIn({ isDebug: true })
    expect(opened.behind.options.webPreferences.devTools).toBe(true)
    expect(opened.behind.webContents.areToolsOpen).toBe(true)
  })

  test('is moved to an existing screen', async () => {
    await using opened = await openOnStandIn({
      placement: { left: 5000, top: 5000, width: 700, height: 500 },
    })
    expect(opened.behind.options).toMatchObject({ x: 580, y: 400, width: 700, height: 500 })
  })

  test('grants camera and the like to the web app’s pages only', async () => {
    await using opened = await openOnStandIn()
    const asked = (requestingUrl?: string) => {
      const answers: boolean[] = []
      opened.session?.permissionHandler?.(
        undefined,
        'media',
        isGranted => answers.push(isGranted),
        requestingUrl === undefined ? {} : { requestingUrl },
      )
      return answers
    }
    expect(asked(`${opened.site.origin}/any`)).toEqual([true])
    expect(asked('https://elsewhere.invalid/')).toEqual([false])
    expect(asked()).toEqual([false])
  })

  test('sends links out of the web app to the user’s browser', async () => {
    await using opened = await openOnStandIn({ pageScript: evaluating })
    const { window, site } = opened
    await nextEvent(window, 'loaded')
    await window.call(follow('https://elsewhere.invalid/a?b'), bounds)
    await expect.poll(() => opened.opened, { timeout: 60_000 }).toEqual(['https://elsewhere.invalid/a?b'])
    expect(await window.call('location.pathname', bounds)).toBe('/')
    const loaded = nextEvent(window, 'loaded')
    await window.call(follow(`${site.origin}/next`), bounds)
    expect(await loaded).toEqual({ url: `${site.origin}/next` })
    expect(opened.behind.webContents.mayNavigate('file:///etc/passwd')).toBe(false)
    expect(opened.opened).toHaveLength(1)
  })

  test('opens the web app’s further windows in the one window', async () => {
    await using opened = await openOnStandIn()
    await nextEvent(opened.window, 'loaded')
    const open = (url: string) => opened.behind.webContents.windowOpenHandler?.({ url })
    for (const url of ['https://elsewhere.invalid/', 'mailto:nobody@site.example', 'nonsense'])
      expect(open(url)).toEqual({ action: 'deny' })
    expect(opened.opened).toEqual(['https://elsewhere.invalid/'])
    const loaded = nextEvent(opened.window, 'loaded')
    expect(open(`${opened.site.origin}/next`)).toEqual({ action: 'deny' })
    expect(await loaded).toEqual({ url: `${opened.site.origin}/next` })
  })

  test('lets a sign-in’s pages navigate', async () => {
    await using third = await serveSite({ '/': '<p>consent' })
    const page = `<p>sign in<script>onload = () => { if (!sessionStorage.seen) { sessionStorage.seen = 1; ${follow(`${third.origin}/`)} } }</script>`
    await using foreign = await serveSite({ '/': page })
    await using opened = await openOnStandIn()
    await nextEvent(opened.window, 'loaded')
    const loaded = nextEvent(opened.window, 'loaded', ({ url }) => url.startsWith(third.origin))
    await opened.window.navigate(`${foreign.origin}/`)
    await loaded
    expect(opened.opened).toEqual([])
  })

  test('is lost when Electron detaches the debugger, as for developer tools', async () => {
    await using opened = await openOnStandIn()
    await nextEvent(opened.window, 'loaded')
    const closed = nextEvent(opened.window, 'closed')
    opened.behind.webContents.debugger.detachByElectron()
    expect(await closed).toEqual({ isLost: true })
    expect(await opened.window.windowState()).toBe('closed')
    await expect(opened.window.call('1', bounds)).rejects.toMatchObject({ fault: 'closed' })
  })

  test('gives each window another session, and adds its suffix to that', async () => {
    const standIn = standInForElectron()
    const engine = createElectronEngine(standIn.parts)
    await using site = await serveSite({ '/': '<p>page' })
    const options = { url: `${site.origin}/`, userAgentSuffix: 'Suffix/1' }
    await using first = await openTestWindow(options, engine)
    await first.window.close()
    await using _second = await openTestWindow({ ...options, profileFolder: first.profileFolder }, engine)
    const agents = [...standIn.sessions.values()].map(session => session.getUserAgent())
    expect(agents).toEqual(Array(2).fill(expect.stringMatching(/Electron\/45\.0\.0 Suffix\/1$/)))
  })

  test('waits until Electron is ready, and can be aborted meanwhile', async () => {
    const standIn = standInForElectron()
    const never = new Promise<void>(() => undefined)
    const engine = createElectronEngine({ ...standIn.parts, app: { whenReady: () => never } })
    const controller = new AbortController()
    const opening = openTestWindow({ url: 'http://127.0.0.1/', signal: controller.signal }, engine)
    const reason = new Error('given up')
    controller.abort(reason)
    await expect(opening).rejects.toBe(reason)
    expect(standIn.windows).toEqual([])
  })
})
