import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { describe, expect, test, vi } from 'vitest'
import { createTray } from '../../src/tray/create-tray.ts'
import type { TrayMenu } from '../../src/tray/tray.ts'
import { hasTrayDisplay, startTrayDisplay } from '../support/tray-display.ts'

const trayModule = new URL('../../src/tray/create-tray.ts', import.meta.url).href
/** Shows the icon until it is killed. */
const hostProgram = `
import { createTray } from '${trayModule}'
const tray = createTray({ folder: process.argv[1], readyTimeoutMs: 60_000 })
await tray.open({ tooltip: 'Wrapper', items: [] })`
const patience = { timeout: 60_000 }

const menu = (isSignedIn: boolean): TrayMenu => ({
  tooltip: 'Wrapper',
  items: [
    { action: 'show', label: 'Show', isEnabled: true },
    { action: 'signOut', label: 'Sign out', isEnabled: isSignedIn },
    { action: 'close', label: 'Close', isEnabled: true },
  ],
})

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe.skipIf(!hasTrayDisplay)('the icon on a real screen', () => {
  test('opens its menu by a click, reports choices, follows changes and disappears when closed', async () => {
    await using display = await startTrayDisplay()
    await using folder = await temporaryFolder()
    const { environment } = display
    const tray = createTray({ folder: folder.path, environment, readyTimeoutMs: 60_000 })
    await using icon = await tray.open(menu(false))
    const chosen: string[] = []
    icon.on('chosen', ({ action }) => chosen.push(action))
    icon.on('lost', () => chosen.push('lost'))
    const choose = async (place: number, count: number) => {
      await display.openMenu()
      await display.choose(place, 3)
      await vi.waitFor(() => expect(chosen).toHaveLength(count), patience)
    }

    const pid = await display.iconAppears()
    await choose(0, 1)
    await choose(2, 2)
    expect(chosen).toEqual(['show', 'close'])

    icon.update(menu(true))
    await choose(1, 3)
    expect(chosen.slice(2)).toEqual(['signOut'])

    await icon[Symbol.asyncDispose]()
    expect(isRunning(pid)).toBe(false)
    await display.iconGoes()
    expect(chosen).toHaveLength(3)
  })

  test('disappears with a killed wrapper', async () => {
    await using display = await startTrayDisplay()
    await using folder = await temporaryFolder()
    const host = spawn(
      process.execPath,
      ['-C', '@service-link/source', '--input-type=module', '-e', hostProgram, folder.path],
      {
        env: display.environment,
        stdio: 'ignore',
      },
    )
    const pid = await display.iconAppears()
    const ended = once(host, 'exit')
    host.kill('SIGKILL')
    await ended
    await expect.poll(() => isRunning(pid), patience).toBe(false)
    await display.iconGoes()
  })
})

describe.skipIf(!hasTrayDisplay || !hasBrowser)('service-webwrapper with an icon', () => {
  test('ends in order after “Close” in the icon’s menu, and the icon disappears', async () => {
    await using display = await startTrayDisplay()
    const { environment } = display
    await using executable = await wrapperExecutable({ engine: 'EoWebBrowser', environment })
    const { ended, isWrapper } = executable.start()
    await isWrapper
    await display.iconAppears()
    await display.openMenu()
    await display.choose(2, 3)
    expect(await ended).toMatchObject({ exitCode: 0 })
    await display.iconGoes()
  })
})
