import { randomUUID } from 'node:crypto'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { connectWrapper } from '@service-link/pipe-client'
import { defaultBrand } from '@service-link/protocol-core'
import { nextEvent } from '@service-link/test-kit/next-event'
import { browserProcesses, canListProcesses, killRenderers, mainPid } from '@service-link/test-kit/processes'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser, headless, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, test, vi } from 'vitest'
import { writeUserConfig } from '../../src/settings/config-file.ts'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import { reservePipePrefix } from '../../src/testing/start-test-wrapper.ts'
import { PageWatch } from '../../src/web-app/watch-page.ts'
import { ReturnAddress } from '../../src/window/return-address.ts'
import { englishTexts } from '../../src/window/texts.ts'
import { type HostingSite, hostingSite } from '../support/hosting-site.ts'
import { payloadArgument } from '../support/provider-input.ts'

const soon = { timeout: 60_000 }
const patient = { customId: '4711', firstname: 'Kari', lastname: 'Nordmann' }
const payload = 'eyJhbGciOiJFUzI1NiJ9.eyJ4IjoxfQ.c2lnbmF0dXJl'
const byPartnerLink = 'provider=Service.Desktop.PartnerLink.Component, Service.Desktop'
const person = [
  'provider=Service.Desktop.Arguments.Component, Service.Desktop',
  'id=4711',
  'firstname=Kari',
  'lastname=Nordmann',
  'dateofbirth=1970-01-02',
]

/** A wrapper with a real headless browser, whose employee a payload signs in. */
async function startWithBrowser(site: HostingSite) {
  await using resources = new AsyncDisposableStack()
  const folder = resources.use(await temporaryFolder())
  const { prefix } = resources.use(reservePipePrefix('browser'))
  const brand = { ...defaultBrand, pipePrefix: prefix }
  const folders = { applicationRoot: join(folder.path, 'root'), userFolder: join(folder.path, 'user') }
  await mkdir(folders.applicationRoot)
  const settings = { AppUrl: `${site.origin}/`, CheckForUpdates: 'False' }
  await writeFile(join(folders.applicationRoot, brand.configFile), writeUserConfig(brand, settings))
  const notices: string[] = []
  const created = createWrapper({
    brand,
    folders,
    engine: headless,
    onNotice: text => void notices.push(text),
  })
  const launch = (argv: string[]) => created.start({ id: randomUUID(), argv, workingDirectory: folder.path })
  const start = await launch([byPartnerLink, await payloadArgument(folder.path, payload)])
  if (start.role !== 'wrapper') throw new Error('A wrapper runs in the new folders already.')
  const wrapper = resources.use(start.wrapper)
  const client = await connectWrapper({ userFolder: folders.userFolder })
  const owned = resources.move()
  return {
    wrapper,
    client,
    launch,
    notices,
    profileFolder: folders.userFolder,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

const selections = (site: HostingSite) => site.requests.filter(text => text.startsWith('POST /select')).length

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended meanwhile.
  }
}

describe.runIf(hasBrowser)('a wrapper with a real browser', () => {
  test('signs the employee in with a payload that never appears in an address', async () => {
    await using site = await hostingSite()
    await using running = await startWithBrowser(site)
    expect(await running.client.selectPerson(patient)).toMatchObject({ status: 'selected' })
    expect(site.requests.join()).toMatch(/\bPOST \/partner\/payload\b/)
    expect(site.requests.join()).not.toContain(payload)
  })

  test.runIf(canListProcesses)('runs a launch although its page is killed, and its browser', async () => {
    await using site = await hostingSite()
    await using running = await startWithBrowser(site)
    await running.client.selectPerson(patient)
    for (const [count, kill] of [
      [2, () => killRenderers(running.profileFolder)],
      [4, async () => void process.kill(await mainPid(running.profileFolder), 'SIGKILL')],
    ] as const) {
      site.behaviors.push('never')
      const launched = running.launch([...person, 'wait=true'])
      await vi.waitFor(() => expect(selections(site)).toBe(count), soon)
      await kill()
      expect(await launched).toMatchObject({ role: 'handed-off', outcome: { status: 'completed' } })
      expect(selections(site)).toBe(count + 1)
    }
    // The session was kept, so no second sign-in was needed.
    expect(site.requests.filter(text => text.startsWith('POST /partner/payload'))).toHaveLength(1)
    expect(running.notices).toEqual([
      'The web app’s page has crashed.',
      'The browser of the window has ended without being asked to.',
    ])
  })

  test.runIf(canListProcesses)(
    'gives up when its browser is killed repeatedly, and leaves nothing',
    async () => {
      await using site = await hostingSite()
      await using running = await startWithBrowser(site)
      await running.client.selectPerson(patient)
      const closed = expect(running.wrapper.closed).rejects.toMatchObject({
        code: 'ERR_ENGINE',
        fault: 'gone',
      })
      let isOver = false
      const noteEnd = () => {
        isOver = true
      }
      running.wrapper.closed.then(noteEnd, noteEnd)
      // A browser killed during its start is a failed attempt, not a loss; the kills go on until the end.
      while (!isOver) {
        const pid = await mainPid(running.profileFolder).catch(() => undefined)
        if (pid !== undefined) killIfThere(pid)
        await delay(50)
      }
      await closed
      await vi.waitFor(async () => expect(await browserProcesses(running.profileFolder)).toEqual([]), soon)
    },
  )

  test('runs launches when the service returns', async () => {
    await using site = await hostingSite({ isStarted: false })
    await using running = await startWithBrowser(site)
    const launched = running.launch([...person, 'wait=true'])
    await vi.waitFor(() => expect(running.notices.join()).toContain('did not load'), soon)
    await site.start()
    expect(await launched).toMatchObject({ outcome: { status: 'completed' } })
  })

  test('really ends a session held by a cookie', async () => {
    await using site = await hostingSite()
    await using running = await startWithBrowser(site)
    await running.client.selectPerson(patient)
    const before = site.requests.length
    const profiles = () => readdir(join(running.profileFolder, 'browser'))
    const former = await profiles()
    await running.wrapper.signOut()
    await vi.waitFor(() => expect(site.requests.slice(before)).toContain('GET /session'), soon)
    expect(site.requests.slice(before)).toContain('POST /sign-out signed in')
    const after = site.requests.slice(before).filter(text => !text.startsWith('POST /sign-out'))
    expect(after.join()).not.toContain('signed in')
    // History and the like go with the profile.
    const now = await profiles()
    expect([former.length, now.length]).toEqual([1, 1])
    expect(now).not.toEqual(former)
  })

  test('restarts a hanging page', async () => {
    await using site = await hostingSite()
    const url = `${site.origin}/`
    const pageScript = 'send => { globalThis.__wrapperHost = { receive() { for (;;); } } }'
    await using opened = await openTestWindow({ url, pageScript })
    await nextEvent(opened.window, 'loaded')
    const events: string[] = []
    using watch = new PageWatch(opened.window, {
      texts: englishTexts('Acme'),
      returnAddress: new ReturnAddress(url),
      report: ({ type }) => void events.push(type),
      isDebug: false,
      answerMs: 1000,
    })
    await expect(opened.window.call({}, { timeoutMs: 100 })).rejects.toMatchObject({ fault: 'timeout' })
    expect(await watch.check()).toBe(true)
    expect(events).toEqual(['page-hung', 'page-restarted'])
    await opened.window.ping({ timeoutMs: 60_000 })
  })
})
