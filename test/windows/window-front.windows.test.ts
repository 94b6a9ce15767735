import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { bundleForWindows, runInWindows } from './bundle.ts'
import { packedBrand } from './packed-wrapper.ts'
import {
  buildWindowsProgram,
  hasScreen,
  type NotificationArea,
  openNotificationArea,
  openScreen,
} from './screen.ts'
import { isWindowsItself, windowsPath } from './wine/windows-machine.ts'
import { commandLine, openWrapperDesk, person, type WrapperDesk } from './wrapper-desk.ts'

const limit = { timeout: 20_000 }
const source = (name: string) => fileURLToPath(new URL(`native/${name}`, import.meta.url))

/** Windows from the front to the back; `>` has the keyboard. */
const inFront = ['> Web app', '  Journal']
const behind = ['> Journal', '  Web app']

/** Where the wrapper's window may be before. Hidden, it has no button in the taskbar, and Alt+Tab does not show it. */
const left = { behind, minimized: ['> Journal', '_ Web app'], hidden: ['> Journal'] } as const
const places = ['behind', 'minimized', 'hidden'] as const
/** A click of a user. In Wine every process may do that. */
const takeKeyboard = isWindowsItself ? 'click' : 'focus'

describe.runIf(hasScreen)('a wrapper behind the window of another process', () => {
  const resources = new AsyncDisposableStack()
  let desk: WrapperDesk
  let windows: string
  let whose: string[]
  let area: NotificationArea

  beforeAll(async () => {
    const display = resources.use(await openScreen({ hasManager: false }))
    desk = resources.use(
      await openWrapperDesk(display?.environment.DISPLAY, { user: { HideToTray: 'True' } }),
    )
    windows = await buildWindowsProgram(join(desk.folder, 'windows.exe'))
    area = openNotificationArea(desk, windows, display)
    const wrapper = resources.use(await desk.start([commandLine, ...person('1', 'Ola', 'Dyk')]))
    await vi.waitFor(() => expect(desk.site.selected).toHaveLength(1), limit)
    whose = await desk.pipeArguments(wrapper)
    resources.use(await desk.windows.start(windows, ['open', 'Journal'], { timeoutMs: 600_000 }))
    await vi.waitFor(async () => expect(String(await order())).toContain('Journal'), limit)
    await leave('behind')
    await vi.waitFor(async () => expect(await area.icons()).toBe(1), limit)
  })
  afterAll(() => resources.disposeAsync())

  /** The order of the windows, as the system lists them. */
  const order = async () => {
    const { stdout } = await desk.windows.run(windows, ['list'])
    return stdout.split('\n').flatMap(line => {
      const [, mark, title] = /^(.).*: (Web app|Journal)\b/.exec(line) ?? []
      return title === undefined ? [] : [`${mark} ${title}`]
    })
  }
  const isOrdered = (expected: readonly string[]) =>
    vi.waitFor(async () => expect(await order()).toEqual(expected), limit)
  /** Starts a program from the process in front: Windows gives the foreground to nobody else. */
  const fromFront = async (program: readonly string[], argv: readonly string[]) =>
    expect(await desk.windows.run(windows, ['from', 'Journal', ...program, ...argv])).toMatchObject({
      exitCode: 0,
    })
  const pipe = (...argv: string[]) => fromFront(desk.commands.servicePipe, [...argv, ...whose])
  /** Puts the other process's window in front, with the keyboard. */
  const leave = async (place: (typeof places)[number]) => {
    await pipe(place === 'hidden' ? 'hide' : 'show')
    if (place === 'minimized') await desk.windows.run(windows, ['minimize', 'Web app of a test'])
    await desk.windows.run(windows, [takeKeyboard, 'Journal'])
    await isOrdered(left[place])
  }
  const browserPid = async () => {
    const folder = join(desk.userFolder, 'run')
    const [record = ''] = (await readdir(folder)).filter(name => name.endsWith('.json'))
    return JSON.parse(await readFile(join(folder, record), 'utf8')).browserPid as number
  }

  const somebody = [commandLine, ...person('2', 'Ola', 'Dyk')]
  const ways: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['show', () => pipe('show')],
    ['selectperson', () => pipe('selectperson', 'customid=3', 'firstname=Ida', 'lastname=Ås')],
    ['openworkout', () => pipe('openworkout', 'id=17')],
    ['a launch', () => fromFront(desk.commands.executable, somebody)],
    ['a launch without commands', () => fromFront(desk.commands.executable, [])],
    ['the launcher', () => fromFront(desk.commands.launcher, somebody)],
    [
      'the first row of the icon’s menu',
      // A click that comes before the menu has no effect.
      () =>
        vi.waitFor(
          async () => {
            await area.choose(0)
            expect(await order()).toEqual(inFront)
          },
          { ...limit, interval: 500 },
        ),
    ],
  ]
  const cases = ways.flatMap(([way, raise]) => places.map(place => [way, place, raise] as const))

  test.each(cases)('[4.5-show] comes to the front by %s when it is %s', async (way, place, raise) => {
    await leave(place)
    const before = await order()
    await raise()
    await isOrdered(inFront)
    console.info(`${way} | ${before.join(', ')} | ${inFront.join(', ')}`)
  })

  test('gets in front of all, without the keyboard, where Windows refuses the foreground', async () => {
    await leave('behind')
    const program = windowsPath(await bundleForWindows(source('raise-refused.ts'), desk.folder))
    const pid = String(await browserPid())
    expect(await desk.windows.run(desk.windows.node, [program, pid])).toMatchObject({
      exitCode: 0,
      stderr: '',
    })
    await isOrdered(['  Web app', '> Journal'])
    // It is above the others only once.
    await desk.windows.run(windows, [takeKeyboard, 'Journal'])
    await isOrdered(behind)
  })

  test('names its browser for programs in front, also after another has taken its place', async () => {
    const before = await browserPid()
    desk.browser.crash()
    await vi.waitFor(async () => expect(await browserPid()).not.toBe(before), limit)
    await leave('behind')
    await pipe('show')
    await isOrdered(inFront)
  })

  // Wine keeps no properties of windows.
  test.skipIf(!isWindowsItself)('has icons, and what the taskbar groups and pins it as', async () => {
    const argv = ['Web app of a test']
    const seen = await runInWindows(desk.windows, source('read-identity.ts'), desk.folder, argv)
    const { displayName, applicationId } = packedBrand
    const quoted = expect.stringContaining(`"${desk.commands.executable}"`)
    const texts = [quoted, expect.anything(), displayName, applicationId]
    expect(seen).toEqual({ texts, icons: [true, true] })
  })

  test('is hidden, minimized and shown for the system as for the engine', async () => {
    await pipe('close')
    await vi.waitFor(() => expect(desk.browser.running()).toBe(0), limit)
    const steps = ['show', 'hide', 'minimise', 'show', 'minimise', 'hide', 'show']
    const program = source('walk-window.ts')
    const argv = [desk.browser.executable, windows, join(desk.folder, 'profile'), desk.site.url, ...steps]
    const env = desk.browser.variables
    const seen = await runInWindows(desk.windows, program, desk.folder, argv, { env })
    const marks = { show: '>', hide: 'none', minimise: '_' } as const
    expect(seen).toEqual(
      steps.map(step => ({
        state: step === 'show' ? 'normal' : 'minimised',
        mark: marks[step as keyof typeof marks],
      })),
    )
  })
})
