import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { hasDisplay, startDisplay, type TestDisplay } from '../../internal/test-kit/src/display.ts'
import { runInWindows } from './bundle.ts'
import { packedBrand } from './packed-wrapper.ts'
import { openWrapperDesk, type WrapperDesk } from './wrapper-desk.ts'

const limit = { timeout: 60_000, interval: 200 }

describe.skipIf(!hasDisplay)('on a screen of Windows', () => {
  let desk: WrapperDesk
  let display: TestDisplay
  beforeAll(async () => {
    display = await startDisplay()
    desk = await openWrapperDesk()
  })
  afterAll(async () => {
    await desk?.[Symbol.asyncDispose]()
    await display?.[Symbol.asyncDispose]()
  })

  test('a failed start shows a box, which outlives its process; none to a waiting program', async () => {
    const file = join(desk.applicationRoot, packedBrand.configFile)
    const working = await readFile(file)
    await writeFile(file, '<configuration>')
    try {
      const env = { DISPLAY: display.environment.DISPLAY ?? '' }
      expect(await desk.run(['wait=true'], { env })).toMatchObject({ exitCode: 2 })
      const { exitCode, stderr } = await desk.run([], { env })
      expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('(ERR_CONFIG') })
      // Letters outside of ASCII are no part of the name that xdotool searches.
      const title = 'Acme Tr.*did not start'
      const search = () => display.xdotool('search', '--onlyvisible', '--name', title).catch(() => '')
      await vi.waitFor(
        async () => expect((await search()).split('\n')).toEqual([expect.stringMatching(/\d/)]),
        limit,
      )
      // Wine drops a key that comes before its window has the focus.
      await vi.waitFor(async () => {
        if ((await search()) !== '')
          await display.xdotool('search', '--onlyvisible', '--name', title, 'windowactivate', 'key', 'Return')
        expect(await search()).toBe('')
      }, limit)
    } finally {
      await writeFile(file, working)
    }
  })

  test('a link opens in the user’s browser, as it is', async () => {
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
