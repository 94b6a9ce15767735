import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runInWindows } from './bundle.ts'
import { packedBrand } from './packed-wrapper.ts'
import {
  buildWindowsProgram,
  hasScreen,
  type NotificationArea,
  openNotificationArea,
  openScreen,
} from './screen.ts'
import type { WindowsProcess } from './wine/start-process.ts'
import { isWindowsItself, windowsPath } from './wine/windows-machine.ts'
import { commandLine, openWrapperDesk, person, type WrapperDesk } from './wrapper-desk.ts'

const limit = { timeout: 60_000 }
const endSession = fileURLToPath(new URL('native/end-session.ts', import.meta.url))
const launch = [commandLine, ...person('1', 'Ola', 'Dyk')]

describe.runIf(hasScreen)('the icon of the packed executable in the notification area', () => {
  const resources = new AsyncDisposableStack()
  let desk: WrapperDesk
  let program: string
  let wrapper: WindowsProcess
  let area: NotificationArea

  beforeAll(async () => {
    const display = resources.use(await openScreen())
    desk = resources.use(await openWrapperDesk(display?.environment.DISPLAY))
    program = await buildWindowsProgram(join(desk.folder, 'windows.exe'))
    area = openNotificationArea(desk, program, display)
  })
  afterAll(() => resources.disposeAsync())

  // On Windows itself nothing takes the place of the real taskbar.
  if (isWindowsItself)
    test('comes at once', async () => {
      wrapper = resources.use(await desk.start(launch))
      await vi.waitFor(() => expect(desk.site.selected).toHaveLength(1), limit)
      await expect.poll(area.icons, limit).toBe(1)
    })
  else
    test('comes when a taskbar that hangs has gone, and holds up nothing until then', async () => {
      const end = join(desk.folder, 'end')
      // Its disposal would end what Wine has started with the first window.
      const taskbar = resources.use(await desk.windows.start(program, ['taskbar', windowsPath(end)]))
      await vi.waitFor(async () => expect(await taskbar.stdout()).toContain('hangs'), limit)
      wrapper = resources.use(await desk.start(launch))
      await vi.waitFor(() => expect(desk.site.selected).toHaveLength(1), limit)
      const whose = await desk.pipeArguments(wrapper)
      expect(await desk.servicePipe('show', ...whose)).toMatchObject({ exitCode: 0 })
      expect(await area.icons()).toBe(0)
      await writeFile(end, '')
      expect(await taskbar.exited).toBe(0)
      await expect.poll(area.icons, limit).toBe(1)
    })

  test('comes again with a new taskbar', async () => {
    await expect.poll(area.icons, limit).toBe(1)
    for (let count = 0; count < 2; count++) {
      await area.renew()
      await expect.poll(area.icons, limit).toBe(1)
    }
  })

  test('has a menu that ends the wrapper, and goes with it', async () => {
    await vi.waitFor(
      async () => {
        await area.choose(2)
        expect(await area.icons()).toBe(0)
      },
      { ...limit, interval: 500 },
    )
    expect(await wrapper.exited).toBe(0)
  })

  test('ends the wrapper in order when taskkill asks it to end', async () => {
    await using asked = await desk.start([commandLine, ...person('2', 'Ola', 'Dyk')])
    await expect.poll(area.icons, limit).toBe(1)
    const [, pid = ''] = await desk.pipeArguments(asked)
    expect(await desk.windows.run('taskkill.exe', ['/PID', pid])).toMatchObject({ exitCode: 0 })
    expect(await asked.exited).toBe(0)
    await vi.waitFor(() => expect(desk.browser.running()).toBe(0), limit)
  })

  test('has the session wait until the wrapper has ended in order', async () => {
    await using ended = await desk.start(launch)
    await expect.poll(area.icons, limit).toBe(1)
    const asked = runInWindows(desk.windows, endSession, desk.folder, [packedBrand.displayName])
    expect(await ended.exited).toBe(0)
    expect(await asked).toEqual({ mayEnd: true })
    expect(await area.icons()).toBe(0)
    expect(desk.browser.running()).toBe(0)
  })
})
