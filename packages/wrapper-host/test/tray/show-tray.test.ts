import { describe, expect, test, vi } from 'vitest'
import type { Tray } from '../../src/tray/tray.ts'
import { memoryTray, startHosted } from '../support/hosted-wrapper.ts'

const soon = { timeout: 60_000 }

describe('the icon in the tray', () => {
  test('shows the window, and says whether a user can be signed out', async () => {
    const icon = memoryTray()
    await using hosted = await startHosted({
      tray: icon.tray,
      isSignedIn: false,
      texts: { trayClose: 'Avslutt' },
    })
    await vi.waitFor(() => expect(icon.items).toEqual(['Show Service', '(Sign out)', 'Avslutt']), soon)
    hosted.page.signIn(hosted.window.session)
    expect(icon.items).toEqual(['Show Service', 'Sign out', 'Avslutt'])
    await hosted.window.minimise()
    icon.choose('show')
    await vi.waitFor(() => expect(hosted.window.state).toBe('normal'), soon)
  })

  test('ends the wrapper and disappears', async () => {
    const icon = memoryTray()
    await using hosted = await startHosted({ tray: icon.tray })
    await vi.waitFor(() => expect(icon.items).toBeDefined(), soon)
    icon.choose('close')
    await hosted.wrapper.closed
    expect(icon.items).toBeUndefined()
  })

  test('that is lost is reported once, and the wrapper continues', async () => {
    const icon = memoryTray()
    await using hosted = await startHosted({ tray: icon.tray })
    await vi.waitFor(() => expect(icon.items).toBeDefined(), soon)
    icon.lose()
    await hosted.wrapper.show()
    expect(hosted.notices).toEqual(['The icon in the tray has gone.'])
  })

  test('that is unavailable does not stop the wrapper', async () => {
    const asked = Promise.withResolvers<void>()
    const tray: Tray = {
      name: 'None',
      async open() {
        asked.resolve()
        throw new TypeError('/home/kari')
      },
    }
    await using hosted = await startHosted({ tray })
    await asked.promise
    await hosted.wrapper.show()
    expect(hosted.notices.join()).not.toContain('kari')
  })

  test('that is slow to open does not delay the end', async () => {
    const tray: Tray = {
      name: 'Slow',
      open: (_menu, signal) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
    }
    await using hosted = await startHosted({ tray })
    await hosted.wrapper.close()
  })
})
