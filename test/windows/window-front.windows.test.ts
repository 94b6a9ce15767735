import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasDisplay, startDisplay } from '../../internal/test-kit/src/display.ts'
import { bundleForWindows, runInWindows } from './bundle.ts'
import { compileNative } from './native/compile-native.ts'
import { windowsPath } from './wine/windows-machine.ts'
import { commandLine, openWrapperDesk, person, type WrapperDesk } from './wrapper-desk.ts'

const limit = { timeout: 20_000 }
const source = (name: string) => fileURLToPath(new URL(`native/${name}`, import.meta.url))

/** Windows from the front to the back; `>` has the keyboard. */
const inFront = ['> Web app', '  Journal']
const behind = ['> Journal', '  Web app']

/** Where the wrapper's window may be before. */
const places = ['behind', 'hidden'] as const

describe.runIf(hasDisplay)('a wrapper behind the window of another process', () => {
  const resources = new AsyncDisposableStack()
  let desk: WrapperDesk
  let windows: string
  let whose: string[]

  beforeAll(async () => {
    const display = resources.use(await startDisplay({ hasManager: false }))
    desk = resources.use(await openWrapperDesk(display.environment.DISPLAY))
    windows = join(desk.folder, 'windows.exe')
    await compileNative([source('windows.c')], windows, ['-municode'])
    const wrapper = resources.use(await desk.start([commandLine, ...person('1', 'Ola', 'Dyk')]))
    await vi.waitFor(() => expect(desk.site.selected).toHaveLength(1), limit)
    whose = await desk.pipeArguments(wrapper)
    resources.use(await desk.windows.start(windows, ['open', 'Journal'], { timeoutMs: 600_000 }))
    await isOrdered(behind)
  })
  afterAll(() => resources.disposeAsync())

  /** The order of the windows, as the system lists them. */
  const order = async () => {
    const { stdout } = await desk.windows.run(windows, ['list'])
    return stdout.split('\n').flatMap(line => {
      const [, mark, title] = /^(.).*: (Web app|Journal)\r?$/.exec(line) ?? []
      return title === undefined ? [] : [`${mark} ${title}`]
    })
  }
  const isOrdered = (expected: readonly string[]) =>
    vi.waitFor(async () => expect(await order()).toEqual(expected), limit)
  const pipe = async (...argv: string[]) => {
    expect(await desk.servicePipe(...argv, ...whose)).toMatchObject({ exitCode: 0 })
  }
  /** Puts the other process's window in front, with the keyboard. */
  const leave = async (place: (typeof places)[number]) => {
    await pipe(place === 'hidden' ? 'hide' : 'show')
    await desk.windows.run(windows, ['focus', 'Journal'])
    if (place === 'behind') await isOrdered(behind)
    else await vi.waitFor(async () => expect(await order()).not.toContain('  Web app'), limit)
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
    ['a launch', async () => expect(await desk.run(somebody)).toMatchObject({ exitCode: 0 })],
    ['a launch without commands', async () => expect(await desk.run([])).toMatchObject({ exitCode: 0 })],
    ['the launcher', async () => expect(await desk.runLauncher(somebody)).toMatchObject({ exitCode: 0 })],
  ]
  const cases = ways.flatMap(([way, raise]) => places.map(place => [way, place, raise] as const))

  test.each(cases)('[4.5-show] comes to the front by %s when it is %s', async (_way, place, raise) => {
    await leave(place)
    await raise()
    await isOrdered(inFront)
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
    await desk.windows.run(windows, ['focus', 'Journal'])
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

  test('is hidden, minimized and shown for the system as for the engine', async () => {
    await pipe('close')
    await vi.waitFor(() => expect(desk.browser.running()).toBe(0), limit)
    const steps = ['show', 'hide', 'minimise', 'show', 'minimise', 'hide', 'show']
    const program = source('walk-window.ts')
    const argv = [desk.edge, windows, join(desk.folder, 'profile'), desk.site.url, ...steps]
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
