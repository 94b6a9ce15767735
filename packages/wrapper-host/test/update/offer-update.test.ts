import { listen } from '@service-link/test-kit/serve'
import { expect, test, vi } from 'vitest'
import { memoryTray, startHosted } from '../support/hosted-wrapper.ts'

const soon = { timeout: 60_000 }

/** A site of installers with a given newest version. */
async function updateSite(version: string) {
  const asked: string[] = []
  const server = await listen((request, response) => {
    asked.push(request.url ?? '')
    response.end(`${version}\r\n`)
  })
  return { ...server, url: server.origin, asked }
}

test('a newer version is offered above the page and by the icon, and its link opens in the user’s browser', async () => {
  await using site = await updateSite('99.0.0.0')
  const opened: string[] = []
  const icon = memoryTray()
  await using hosted = await startHosted({
    tray: icon.tray,
    settings: { CheckForUpdates: 'True', UpdateUrl: site.url },
    openExternal: url => void opened.push(url),
  })
  await vi.waitFor(() => expect(hosted.window.notice?.text).toContain('99.0.0.0'), soon)
  hosted.window.pressNotice('follow')
  await vi.waitFor(() => expect(icon.notice).toEqual(['Service', expect.stringContaining('99.0.0.0')]), soon)
  icon.chooseNotice()
  const installer = `${site.url}/msi/Service.Client.WebWrapper.99.0.0.0.msi`
  expect(opened).toEqual([installer, installer])
  expect(hosted.window.notice).toBeUndefined()
})

test('a dismissed version is not shown again after a browser restart', async () => {
  await using site = await updateSite('99.0.0.0')
  await using hosted = await startHosted({ settings: { CheckForUpdates: 'True', UpdateUrl: site.url } })
  await vi.waitFor(() => expect(hosted.window.notice).toBeDefined(), soon)
  const { window: first } = hosted
  first.lose()
  await vi.waitFor(
    () => expect(hosted.window === first ? undefined : hosted.window.notice).toBeDefined(),
    soon,
  )
  hosted.window.pressNotice('dismiss')
  const { window: second } = hosted
  second.lose()
  await vi.waitFor(() => expect(hosted.window).not.toBe(second), soon)
  await hosted.wrapper.show()
  expect(hosted.window.notice).toBeUndefined()
})

test('errors of an integrator’s opener and notices end nothing, and are reported by kind', async () => {
  await using site = await updateSite('99.0.0.0')
  const kari = () => {
    throw new TypeError('Kari Nordmann')
  }
  const told: string[] = []
  await using hosted = await startHosted({
    settings: { CheckForUpdates: 'True', UpdateUrl: site.url },
    openExternal: kari,
    onNotice(sentence) {
      told.push(sentence)
      kari()
    },
  })
  await vi.waitFor(() => expect(hosted.window.notice?.text).toContain('99.0.0.0'), soon)
  hosted.window.pressNotice('follow')
  expect(told).toEqual(['A function in the option openExternal of createWrapper failed (TypeError).'])
  await hosted.wrapper.close()
})

test('[2.2-defaults] nothing is requested when CheckForUpdates is off', async () => {
  await using site = await updateSite('99.0.0.0')
  await using hosted = await startHosted({ settings: { CheckForUpdates: 'False', UpdateUrl: site.url } })
  await hosted.wrapper.show()
  await hosted.wrapper.close()
  expect(site.asked).toEqual([])
})
