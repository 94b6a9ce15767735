import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { serveSite } from '@service-link/test-kit/site'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, test } from 'vitest'
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'

// The browser makes a socket below the folder of temporary files, and does not start without it.
describe.skipIf(!hasBrowser || process.platform === 'win32')('a browser opens its window', () => {
  test.each<[string, (folder: string) => Promise<string>]>([
    ['is not there', async folder => join(folder, 'none')],
    ['is relative', async () => 'none'],
    [
      'is a file',
      async folder => {
        await writeFile(join(folder, 'file'), '')
        return join(folder, 'file')
      },
    ],
    [
      'is too long',
      async folder => {
        await mkdir(join(folder, 'a'.repeat(60)))
        return join(folder, 'a'.repeat(60))
      },
    ],
  ])('if TMPDIR %s', async (_title, make) => {
    await using folder = await temporaryFolder()
    await using site = await serveSite({ '/': '<title>page</title>' })
    const environment = { ...process.env, TMPDIR: await make(folder.path) }
    const engine = createChromiumEngine({ isHeadless: true, environment, openExternal: () => undefined })
    await using opened = await openTestWindow({ url: site.origin }, engine)
    expect(await opened.window.windowState()).toBeDefined()
  })
})
