import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runInWindows } from './bundle.ts'
import { packedBrand } from './packed-wrapper.ts'
import { buildWindowsProgram, hasScreen, openScreen } from './screen.ts'
import { isWindowsItself } from './wine/windows-machine.ts'
import { openWrapperDesk, type WrapperDesk } from './wrapper-desk.ts'

const limit = { timeout: 60_000, interval: 200 }

describe.skipIf(!hasScreen)('on a screen of Windows', () => {
  let desk: WrapperDesk
  const resources = new AsyncDisposableStack()
  beforeAll(async () => {
    const display = resources.use(await openScreen())
    desk = resources.use(await openWrapperDesk(display?.environment.DISPLAY))
  })
  afterAll(() => resources.disposeAsync())

  test('a failed start shows a box, which outlives its process; none to a waiting program', async () => {
    const file = join(desk.applicationRoot, packedBrand.configFile)
    const working = await readFile(file)
    await writeFile(file, '<configuration>')
    try {
      const program = await buildWindowsProgram(join(desk.folder, 'windows.exe'))
      const title = `${packedBrand.displayName} did not start`
      const box = async (verb: 'has' | 'close') =>
        (await desk.windows.run(program, [verb, title])).exitCode === 0
      expect(await desk.run(['wait=true'])).toMatchObject({ exitCode: 2 })
      const { exitCode, stderr } = await desk.run([])
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('(ERR_CONFIG') })
      await vi.waitFor(async () => expect(await box('has')).toBe(true), limit)
      await box('close')
      // Another one, for the waiting program, would still be there.
      await vi.waitFor(async () => expect(await box('has')).toBe(false), limit)
    } finally {
      await writeFile(file, working)
    }
  })

  // A browser of Windows tells nobody what it opens.
  test.runIf(!isWindowsItself)('a link opens in the user’s browser, as it is', async () => {
    const { windows, folder } = desk
    const opened = join(folder, 'opened')
    // Wine hands web addresses to this program of the host.
    const script = `#!/bin/sh\nprintf %s "$1" > '${opened}'\n`
    await writeFile(join(folder, 'xdg-open'), script, { mode: 0o755 })
    const url = 'https://site.example/?a=1&b=%22;$(id)'
    const module = fileURLToPath(new URL('native/open-address.ts', import.meta.url))
    const env = { PATH: `${folder}:${process.env.PATH}` }
    expect(await runInWindows(windows, module, folder, [url], { env })).toBe(true)
    await vi.waitFor(async () => expect(await readFile(opened, 'utf8').catch(() => '')).toBe(url), limit)
  })
})
