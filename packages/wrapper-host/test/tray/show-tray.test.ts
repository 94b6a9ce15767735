import { describe, expect, test, vi } from 'vitest'
import type { Tray } from '../../src/tray/tray.ts'
import { memoryTray, startHosted } from '../support/hosted-wrapper.ts'
import { request } from '../support/pipe.ts'

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
    hosted.page.signIn()
    expect(icon.items).toEqual(['Show Service', 'Sign out', 'Avslutt'])
    await hosted.window.minimise()
    icon.choose('show')
    await vi.waitFor(() => expect(hosted.window.state).toBe('normal'), soon)
  })

  test('of a kiosk closes nothing', async () => {
    const icon = memoryTray()
    await using _hosted = await startHosted({
      tray: icon.tray,
      settings: { Kiosk: 'True' },
      isSignedIn: false,
    })
    await vi.waitFor(() => expect(icon.items).toEqual(['Show Service', '(Sign out)']), soon)
  })

  test('hides the window only while the desktop shows it', async () => {
    const icon = memoryTray({ isShownAtOnce: false })
    await using hosted = await startHosted({ tray: icon.tray, settings: { HideToTray: 'True' } })
    await vi.waitFor(() => expect(icon.items).toBeDefined(), soon)
    for (const isShown of [false, true, false]) {
      icon.setShown(isShown)
      await request(hosted.wrapper.pipeAddress, { Method: 'hide' })
      expect([hosted.window.state, hosted.window.isHidden]).toEqual(['minimised', isShown])
    }
  })

  test('ends the wrapper with the session of the desktop, also a kiosk', async () => {
    const icon = memoryTray()
    await using hosted = await startHosted({ tray: icon.tray, settings: { Kiosk: 'True' } })
    await vi.waitFor(() => expect(icon.items).toBeDefined(), soon)
    icon.endSession()
    await hosted.wrapper.closed
  })

  test('ends the wrapper and disappears', async () => {
    const icon = memoryTray()
    await using hosted = await startHosted({ tray: icon.tray })
    await vi.waitFor(() => expect(icon.items).toBeDefined(), soon)
    icon.choose('close')
    await hosted.wrapper.closed
    expect(icon.items).toBeUndefined()
  })

  test('is shown again after a loss; the third one is reported, and the wrapper continues', async () => {
    const icon = memoryTray()
    await using hosted = await startHosted({ tray: icon.tray })
    for (const _ of [1, 2, 3]) {
      await vi.waitFor(() => expect(icon.items).toBeDefined(), soon)
      icon.lose()
    }
    await hosted.wrapper.show()
    expect(icon.items).toBeUndefined()
    expect(hosted.notices).toEqual(['The icon in the tray has gone.'])
  })

  test.each<[string, 'True' | 'False', boolean]>([
    ['with HideToTray takes the window off the task bar', 'True', true],
    ['leaves the window in the task bar else', 'False', false],
  ])('%s at hide, and show brings it back', async (_title, HideToTray, isHidden) => {
    const icon = memoryTray()
    await using hosted = await startHosted({ tray: icon.tray, settings: { HideToTray } })
    const { window } = hosted
    const hide = () => request(hosted.wrapper.pipeAddress, { Method: 'hide' })
    await vi.waitFor(() => expect(icon.items).toBeDefined(), soon)
    for (const show of [
      () => icon.choose('show'),
      () => hosted.wrapper.show(),
      () => request(hosted.wrapper.pipeAddress, { Method: 'show' }),
    ]) {
      await hide()
      expect([window.state, window.isHidden]).toEqual(['minimised', isHidden])
      await show()
      await vi.waitFor(() => expect([window.state, window.isHidden]).toEqual(['normal', false]), soon)
    }
    await hide()
    window.lose()
    await vi.waitFor(() => expect(hosted.window).not.toBe(window), soon)
    await vi.waitFor(() => expect(hosted.window.isHidden).toBe(isHidden), soon)
    // The third loss is the last one.
    for (const isHiddenAgain of [isHidden, isHidden, false]) {
      icon.lose()
      await vi.waitFor(
        () => expect([hosted.window.state, hosted.window.isHidden]).toEqual(['minimised', false]),
        soon,
      )
      await hide()
      expect(hosted.window.isHidden).toBe(isHiddenAgain)
    }
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
