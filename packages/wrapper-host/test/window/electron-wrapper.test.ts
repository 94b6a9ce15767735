import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { createElectronEngine } from '@service-link/window-engine/electron'
import { expect, test, vi } from 'vitest'
import { createWrapper } from '../../src/start/create-wrapper.ts'
import { reservePipePrefix } from '../../src/testing/start-test-wrapper.ts'
import { pageWith } from '../support/bridged-page.ts'
import { standInForElectron } from '../support/electron-stand-in.ts'
import { pageModules } from '../support/page-module.ts'
import { request } from '../support/pipe.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { hasBrowser } from '../support/window-browser.ts'
import { serveSite } from '../support/window-site.ts'

const app = `
const host = connectHost({ getListOfUsers: () => [{ id: 17, firstname: navigator.userAgent }] })
host.signedIn()
`

test.runIf(hasBrowser)(
  'a wrapper with an Electron window takes commands, and survives its page [2.2-minimize-on-exit]',
  async () => {
    await using resources = new AsyncDisposableStack()
    const site = resources.use(await serveSite({ '/': pageWith(app), ...(await pageModules()) }))
    const folder = resources.use(await temporaryFolder())
    const { prefix } = resources.use(reservePipePrefix('electron'))
    const standIn = standInForElectron()
    const folders = { applicationRoot: join(folder.path, 'root'), userFolder: join(folder.path, 'user') }
    await mkdir(folders.applicationRoot)
    const brand = { ...defaultBrand, pipePrefix: prefix, appUrl: `${site.origin}/` }
    const start = await createWrapper({ brand, folders, engine: createElectronEngine(standIn.parts) }).start({
      id: randomUUID(),
      argv: [],
      workingDirectory: folder.path,
    })
    if (start.role !== 'wrapper') throw new Error('There is a wrapper in a folder that is new.')
    const { pipeAddress } = resources.use(start.wrapper)
    const [window] = standIn.windows
    const users = async () =>
      JSON.parse((await request(pipeAddress, { Method: 'getlistofusers' }))[0] ?? 'null')
    expect(await users()).toMatchObject([
      { Id: 17, Firstname: expect.stringMatching(/Service\.Client\.WebWrapper\/3\./) },
    ])
    window?.closeByUser()
    expect(window?.isMinimized()).toBe(true)
    await request(pipeAddress, { Method: 'show' })
    expect(window?.isMinimized()).toBe(false)
    window?.webContents.forcefullyCrashRenderer()
    await vi.waitFor(async () => expect(await users()).toMatchObject([{ Id: 17 }]), { timeout: 60_000 })
    await request(pipeAddress, { Method: 'close' })
    await start.wrapper.closed
    expect(window?.isDestroyed()).toBe(true)
  },
)
