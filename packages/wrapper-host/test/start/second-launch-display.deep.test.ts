import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultBrand } from '@service-link/protocol-core'
import { hasDisplay, startDisplay, type TestDisplay } from '@service-link/test-kit/display'
import { serveSite } from '@service-link/test-kit/site'
import { hasBrowser, openTestWindow, type TestWindow } from '@service-link/test-kit/test-window'
import { wrapperExecutable } from '@service-link/test-kit/wrapper-executable'
import { createChromiumEngine } from '@service-link/window-engine'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

const webAppTitle = 'Web app of a test'
const polling = { timeout: 60_000, interval: 25 }

/** An integrator's provider whose launches change nothing visible. */
const quietProvider = `export const Quiet = {
  async provide() {
    return { commands: [{ name: 'setcustomid', args: { userId: 1, customId: 'quiet' } }] }
  },
}`

describe.runIf(hasBrowser && hasDisplay)('a second launch behind another window', () => {
  const resources = new AsyncDisposableStack()
  let display: TestDisplay
  let wrapper: Awaited<ReturnType<typeof wrapperExecutable>>
  let other: TestWindow

  beforeAll(async () => {
    display = resources.use(await startDisplay())
    const { environment } = display
    wrapper = resources.use(await wrapperExecutable({ engine: 'EoWebBrowser', environment }))
    await mkdir(join(wrapper.root, 'providers'))
    await writeFile(join(wrapper.root, 'providers', 'Quiet.mjs'), quietProvider)
    const site = resources.use(await serveSite({ '/': '<title>Other</title><p>Other' }))
    await wrapper.start().isWrapper
    await isActive(webAppTitle)
    other = resources.use(
      await openTestWindow({ url: `${site.origin}/` }, createChromiumEngine({ environment })),
    )
    await isActive('Other')
  })
  afterAll(() => resources.disposeAsync())

  const activeTitle = () => display.xdotool('getactivewindow', 'getwindowname').catch(() => 'none')
  const isActive = (title: string) => vi.waitFor(async () => expect(await activeTitle()).toBe(title), polling)
  const bringOtherToFront = async () => {
    await other.window.show()
    await isActive('Other')
  }
  const launch = async (...argv: string[]) => {
    expect(await wrapper.start(...argv, 'wait=true').ended).toEqual({ exitCode: 0, errors: '' })
  }
  const search = [`provider=${defaultBrand.providers.arguments}`, 'queryexercises=knee']

  test.each([
    ['without commands', []],
    ['with a search', search],
  ])('%s brings the wrapper’s window to the front', async (_title, argv) => {
    await bringOtherToFront()
    await launch(...argv)
    await isActive(webAppTitle)
  })

  test('without anything to show leaves the other window in front', async () => {
    await bringOtherToFront()
    await launch('provider=Quiet.Quiet, Quiet')
    expect(wrapper.calls.at(-1)).toEqual({ name: 'setCustomId', value: { userId: 1, customId: 'quiet' } })
    expect(await activeTitle()).toBe('Other')
  })
})
