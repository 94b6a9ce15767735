import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasDisplay, startDisplay, type TestDisplay } from '../../internal/test-kit/src/display.ts'
import { runInWindows } from './bundle.ts'
import { packedBrand } from './packed-wrapper.ts'
import type { WindowsProcess } from './wine/start-process.ts'
import { commandLine, openWrapperDesk, person, type WrapperDesk } from './wrapper-desk.ts'

const limit = { timeout: 60_000 }
const newTaskbar = fileURLToPath(new URL('native/new-taskbar.ts', import.meta.url))

/** Wine shows icons in a window of its own where the desktop has no place for them. */
const area = ['search', '--onlyvisible', '--name', '^Wine System Tray$']

describe.runIf(hasDisplay)('the icon of the packed executable in the notification area', () => {
  const resources = new AsyncDisposableStack()
  let display: TestDisplay
  let desk: WrapperDesk
  let wrapper: WindowsProcess

  const icons = async () => (await display.xdotool(...area).catch(() => '')).split('\n').filter(Boolean)
  const click = async (button: number) => {
    const [icon = ''] = await icons()
    await display.xdotool('mousemove', '--window', icon, '8', '8', 'click', String(button))
  }

  beforeAll(async () => {
    display = resources.use(await startDisplay())
    desk = resources.use(await openWrapperDesk(display.environment.DISPLAY))
    wrapper = resources.use(await desk.start([commandLine, ...person('1', 'Ola', 'Dyk')]))
    await vi.waitFor(() => expect(desk.site.selected).toHaveLength(1), limit)
  })
  afterAll(() => resources.disposeAsync())

  test('comes again with a new taskbar', async () => {
    await expect.poll(icons, limit).toHaveLength(1)
    const title = packedBrand.displayName
    expect(await runInWindows(desk.windows, newTaskbar, desk.folder, [title])).toEqual({ wasShown: true })
    await expect.poll(icons, limit).toHaveLength(1)
    // A second icon of the same window would have been refused.
    expect(await runInWindows(desk.windows, newTaskbar, desk.folder, [title])).toEqual({ wasShown: true })
    await expect.poll(icons, limit).toHaveLength(1)
  })

  test('has a menu that ends the wrapper, and goes with it', async () => {
    // The last item of three. A click that comes before the menu has no effect.
    await vi.waitFor(
      async () => {
        await click(3)
        await display.xdotool('mousemove_relative', '20', '48', 'click', '1')
        expect(await icons()).toEqual([])
      },
      { ...limit, interval: 500 },
    )
    expect(await wrapper.exited).toBe(0)
  })
})
