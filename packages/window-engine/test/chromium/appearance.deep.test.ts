import { hasDisplay, screenWidth } from '@service-link/test-kit/display'
import { nextEvent } from '@service-link/test-kit/next-event'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bounds, openDesk, polling, type TestDesk } from '../support/desk.ts'

const placement = { left: 150, top: 100, width: 640, height: 480 }

describe.runIf(hasBrowser && hasDisplay)('how a window looks', () => {
  let desk: TestDesk
  beforeAll(async () => {
    desk = await openDesk({ '/': '<meta charset=utf-8><title>Main</title><p>app' })
  })
  afterAll(() => desk?.[Symbol.asyncDispose]())

  it('a changed zoom is reported and restored in a window with a new profile', async () => {
    let zoom: number
    {
      await using opened = await desk.open('/', 'Main', { placement })
      await expect.poll(() => opened.window.call('devicePixelRatio', bounds), polling).toBe(1)
      const changed = nextEvent(opened.window, 'appearanceChanged')
      await desk.press('ctrl+plus')
      zoom = (await changed).zoom
      expect(zoom).toBeCloseTo(1.1)
    }
    await using again = await desk.open('/', 'Main', { placement, zoom })
    expect(await again.window.call('devicePixelRatio', bounds)).toBeCloseTo(1.1)
    const changed = nextEvent(again.window, 'appearanceChanged')
    await desk.press('ctrl+0')
    expect((await changed).zoom).toBe(1)
  })

  it('a changed place and size is reported, at the latest on close', async () => {
    await using opened = await desk.open('/', 'Main', { placement })
    const resized = nextEvent(opened.window, 'appearanceChanged')
    const [own = ''] = (await desk.display.xdotool('search', '--onlyvisible', '--name', '^Main$')).split('\n')
    await desk.display.xdotool('windowsize', own, '700', '500')
    expect((await resized).placement).toMatchObject({ width: 700, height: 500 })
    const moved = nextEvent(opened.window, 'appearanceChanged', event => event.placement.left > 300)
    await desk.display.xdotool('windowmove', own, '400', '200')
    await expect.poll(() => opened.window.call('screenX', bounds), polling).toBeGreaterThan(300)
    await opened.window.close()
    expect((await moved).placement).toMatchObject({ width: 700, height: 500 })
  })

  it('a minimized or maximized window reports no place', async () => {
    await using opened = await desk.open('/', 'Main')
    const { window } = opened
    let changes = 0
    window.on('appearanceChanged', () => void changes++)
    const width = () => window.call('outerWidth', bounds)
    await desk.display.xdotool('mousemove', '300', '8', 'click', '--repeat', '2', '1')
    await expect.poll(width, polling).toBe(screenWidth)
    await window.minimise()
    await window.close()
    expect(changes).toBe(0)
  })

  it.each([
    ['beyond the right', { left: 5000, top: 5000 }],
    ['beyond the left', { left: -3000, top: -3000 }],
  ])('opens visibly although its screen is gone: %s', async (_name, away) => {
    await using opened = await desk.open('/', 'Main', { placement: { ...placement, ...away } })
    const { window } = opened
    const place = () => window.call('[screenX, screenY]', bounds)
    const isSeen = async () => {
      const [left = 0, top = 0] = (await place()) as number[]
      return left >= -10 && left <= 1280 - 640 + 10 && top >= -10 && top <= 900 - 480 + 30
    }
    await expect.poll(isSeen, polling).toBe(true)
    const [own = ''] = (await desk.display.xdotool('search', '--onlyvisible', '--name', '^Main$')).split('\n')
    const geometry = () => desk.display.xdotool('getwindowgeometry', '--shell', own)
    const before = await geometry()
    await window.minimise()
    await desk.display.xdotool('windowmove', own, String(away.left), String(away.top))
    await expect.poll(geometry, polling).not.toBe(before)
    await window.show()
    await expect.poll(isSeen, polling).toBe(true)
  })
})
