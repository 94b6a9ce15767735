import { fileURLToPath } from 'node:url'
import { expect, vi } from 'vitest'
import { hasDisplay, startDisplay, type TestDisplay } from '../../internal/test-kit/src/display.ts'
import { runInWindows } from './bundle.ts'
import { compileNative } from './native/compile-native.ts'
import { packedBrand } from './packed-wrapper.ts'
import { isWindowsItself } from './wine/windows-machine.ts'
import type { WrapperDesk } from './wrapper-desk.ts'

const source = (name: string) => fileURLToPath(new URL(`native/${name}`, import.meta.url))
const limit = { timeout: 60_000 }

/** Whether windows can be seen: always on Windows itself, and in Wine with an X server. */
export const hasScreen = isWindowsItself || hasDisplay

/** The screen of Wine's windows; `undefined` on Windows itself, whose session has one. */
export async function openScreen(
  options: Parameters<typeof startDisplay>[0] = {},
): Promise<TestDisplay | undefined> {
  return isWindowsItself ? undefined : await startDisplay(options)
}

/** Builds the program that lists and moves windows, see `native/windows.c`. @returns its absolute path */
export async function buildWindowsProgram(file: string): Promise<string> {
  await compileNative([source('windows.c')], file, ['-municode'])
  return file
}

/** The notification area with the wrapper's icon. */
export interface NotificationArea {
  /** Number of icons. */
  icons(): Promise<number>
  /** Clicks a row of the icon's menu, from 0. A click that comes before the menu has no effect. */
  choose(row: number): Promise<void>
  /** Ends the taskbar, and waits for another. */
  renew(): Promise<void>
}

/**
 * Finds the notification area.
 *
 * @param program of {@link buildWindowsProgram}
 * @param display of Wine
 */
export function openNotificationArea(
  desk: WrapperDesk,
  program: string,
  display: TestDisplay | undefined,
): NotificationArea {
  return display ? areaOfWine(desk, display) : areaOfWindows(desk, program)
}

/** Wine shows icons in a window of its own where the desktop has no place for them. */
function areaOfWine(desk: WrapperDesk, { xdotool }: TestDisplay): NotificationArea {
  const area = ['search', '--onlyvisible', '--name', '^Wine System Tray$']
  const icons = async () => (await xdotool(...area).catch(() => '')).split('\n').filter(Boolean)
  return {
    icons: async () => (await icons()).length,
    async choose(row) {
      const [icon = ''] = await icons()
      await xdotool('mousemove', '--window', icon, '8', '8', 'click', '3')
      await xdotool('mousemove_relative', '20', String(8 + 20 * row), 'click', '1')
    },
    async renew() {
      const argv = [packedBrand.displayName]
      // A second icon of the same window would have been refused.
      expect(await runInWindows(desk.windows, source('new-taskbar.ts'), desk.folder, argv)).toEqual({
        wasShown: true,
      })
    },
  }
}

/** Puts every icon beside the clock, where Windows would hide a new one behind an arrow, by a new taskbar. */
const showAll = `
  $explorer = 'HKCU:\\Software\\Microsoft\\Windows\\CurrentVersion\\Explorer'
  Set-ItemProperty $explorer EnableAutoTray 0 -Type DWord
  Get-ChildItem 'HKCU:\\Control Panel\\NotifyIconSettings' -ErrorAction Ignore |
    ForEach-Object { Set-ItemProperty $_.PSPath IsPromoted 1 -Type DWord }
  Stop-Process -Name explorer -Force`

function areaOfWindows({ windows }: WrapperDesk, program: string): NotificationArea {
  const place = async () => {
    const { exitCode, stdout } = await windows.run(program, ['icon', packedBrand.displayName])
    return exitCode === 0 ? stdout.trim().split(',') : undefined
  }
  const menu = async () => {
    const { stdout } = await windows.run(program, ['list'])
    const [, ...numbers] = /^. (-?\d+),(-?\d+),(\d+),(\d+) #32768:/m.exec(stdout) ?? []
    expect(numbers).toHaveLength(4)
    return numbers.map(Number) as [x: number, y: number, width: number, height: number]
  }
  return {
    icons: async () => ((await place()) ? 1 : 0),
    async choose(row) {
      await windows.run(program, ['press', 'right', ...((await place()) ?? [])])
      const [x, y, width, height] = await vi.waitFor(menu, { timeout: 5_000 })
      const rows = 3
      const at = [x + width / 2, y + ((row + 0.5) * height) / rows].map(each => String(Math.round(each)))
      await windows.run(program, ['press', 'left', ...at])
    },
    async renew() {
      const argv = ['-NoProfile', '-NonInteractive', '-Command', showAll]
      expect(await windows.run('powershell.exe', argv)).toMatchObject({ exitCode: 0 })
      // Windows starts another by itself.
      await vi.waitFor(async () => expect(await place()).toBeDefined(), limit)
    },
  }
}
