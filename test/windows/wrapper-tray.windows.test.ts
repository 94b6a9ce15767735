import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  buildWindowsProgram,
  hasScreen,
  type NotificationArea,
  openNotificationArea,
  openScreen,
} from './screen.ts'
import type { WindowsProcess } from './wine/start-process.ts'
import { commandLine, openWrapperDesk, person, type WrapperDesk } from './wrapper-desk.ts'

const limit = { timeout: 60_000 }

describe.runIf(hasScreen)('the icon of the packed executable in the notification area', () => {
  const resources = new AsyncDisposableStack()
  let desk: WrapperDesk
  let wrapper: WindowsProcess
  let area: NotificationArea

  beforeAll(async () => {
    const display = resources.use(await openScreen())
    desk = resources.use(await openWrapperDesk(display?.environment.DISPLAY))
    const program = await buildWindowsProgram(join(desk.folder, 'windows.exe'))
    area = openNotificationArea(desk, program, display)
    wrapper = resources.use(await desk.start([commandLine, ...person('1', 'Ola', 'Dyk')]))
    await vi.waitFor(() => expect(desk.site.selected).toHaveLength(1), limit)
  })
  afterAll(() => resources.disposeAsync())

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
})
