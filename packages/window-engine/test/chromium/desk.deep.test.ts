import { hasDisplay } from '@service-link/test-kit/display'
import { nextEvent } from '@service-link/test-kit/next-event'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bounds, openDesk, polling, type TestDesk } from '../support/desk.ts'

const hang = `setTimeout(() => { for (;;); })`

describe.runIf(hasBrowser && hasDisplay)('a window at a desk', () => {
  let desk: TestDesk
  beforeAll(async () => {
    desk = await openDesk({
      '/': `<meta charset=utf-8><title>Main</title><style>a { position: fixed; inset: 0 }</style>
<a href="http://localhost:2/elsewhere">elsewhere</a>`,
      '/moving': '<meta charset=utf-8><title>Moving</title><p>app',
    })
  })
  afterAll(() => desk?.[Symbol.asyncDispose]())

  const isSilent = (window: { ping(options: { timeoutMs: number }): Promise<void> }) =>
    window.ping({ timeoutMs: 1000 }).then(
      () => false,
      () => true,
    )

  it('stays the only one when its user asks for developer tools', async () => {
    await using opened = await desk.open('/', 'Main')
    const { window } = opened
    let isLeft = false
    await window.call(`addEventListener('blur', () => { globalThis.isLeft = true })`, bounds)
    for (const keys of ['F12', 'ctrl+shift+i', 'ctrl+shift+j']) {
      await window.call('globalThis.isLeft = false', bounds)
      // Tools that close before they show receive no keys, so the keys are pressed again.
      for (let tries = 0; tries < 3 && !isLeft; tries++) {
        await desk.press(keys)
        await desk.isActive('Main')
        isLeft = (await window.call('globalThis.isLeft', bounds)) === true
      }
      const visible = () => desk.display.xdotool('search', '--onlyvisible', '--name', '.')
      await expect.poll(async () => (await visible()).split('\n').length, polling).toBe(1)
    }
    expect(await window.windowState()).toBe('normal')
  })

  it('opens a link to another site in the user’s browser', async () => {
    await using opened = await desk.open('/', 'Main')
    await desk.click(opened.window, 300, 300)
    await expect.poll(() => desk.external, polling).toContain('http://localhost:2/elsewhere')
    expect(await opened.window.call('location.pathname', bounds)).toBe('/')
  })

  it('gets a new page while the old one waits in a dialog, which is not hanging', async () => {
    await using opened = await desk.open('/', 'Main')
    const { window } = opened
    void window.call('alert(1)', bounds).catch(() => undefined)
    const isAsking = () =>
      window.call('1', { timeoutMs: 500 }).then(
        () => false,
        () => true,
      )
    await expect.poll(isAsking, polling).toBe(true)
    await window.ping(bounds)
    const loaded = nextEvent(window, 'loaded')
    await window.restartPage()
    await loaded
    expect(await window.call('1', bounds)).toBe(1)
  })

  it('that hangs and was closed by its user closes after its page gets a new process', async () => {
    await using opened = await desk.open('/', 'Main')
    const { window } = opened
    await window.call(hang, bounds)
    await expect.poll(() => isSilent(window), polling).toBe(true)
    await desk.press('alt+F4')
    const closed = nextEvent(window, 'closed')
    // The key may arrive after the new process started; then the key itself closes the window.
    await window.restartPage().catch(() => undefined)
    expect(await closed).toEqual({ isLost: false })
  })

  it('is minimized after its page navigated within the document [2.2-minimize-on-exit]', async () => {
    await using opened = await desk.open('/moving', 'Moving')
    const { window } = opened
    window.setMinimiseOnClose(true)
    await window.call(
      `location.hash = 'a'; history.pushState(1, '', '/moving/deeper'); history.back()`,
      bounds,
    )
    await expect.poll(() => window.call('location.hash', bounds), polling).toBe('#a')
    const vetoed = nextEvent(window, 'closeVetoed')
    await desk.press('alt+F4')
    await vetoed
  })
})
