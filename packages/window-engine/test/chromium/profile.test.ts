import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { prepareProfile } from '../../src/chromium/browser-process.ts'
import { hasBrowser, openTestWindow } from '../support/browser.ts'
import { serveSite } from '../support/site.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const read = async (profileFolder: string) =>
  JSON.parse(await readFile(join(profileFolder, 'Default', 'Preferences'), 'utf8'))

describe('prepareProfile', () => {
  test('makes a private folder, in which nothing typed is remembered', async () => {
    await using folder = await temporaryFolder()
    const profile = join(folder.path, 'browser')
    await prepareProfile({ profileFolder: profile, origins: [] })
    expect(await read(profile)).toMatchObject({
      credentials_enable_service: false,
      profile: { password_manager_enabled: false },
      autofill: { profile_enabled: false },
      translate: { enabled: false },
    })
    if (process.platform !== 'win32') expect((await stat(profile)).mode & 0o077).toBe(0)
  })

  test('keeps the browser’s own values, and replaces a damaged file', async () => {
    await using folder = await temporaryFolder()
    await mkdir(join(folder.path, 'Default'))
    const file = join(folder.path, 'Default', 'Preferences')
    await writeFile(file, '{"profile":{"name":"kept","password_manager_enabled":true},"other":[1]}')
    await prepareProfile({ profileFolder: folder.path, origins: [] })
    expect(await read(folder.path)).toMatchObject({
      profile: { name: 'kept', password_manager_enabled: false },
      other: [1],
    })
    await writeFile(file, '{"profile"')
    await prepareProfile({ profileFolder: folder.path, origins: [] })
    expect(await read(folder.path)).toMatchObject({ credentials_enable_service: false })
  })

  test.skipIf(!hasBrowser)(
    'a browser adopts the preferences: it neither drops nor overrides them',
    async () => {
      await using folder = await temporaryFolder()
      await using site = await serveSite({ '/': '<title>page</title>' })
      const opened = await openTestWindow({ url: site.origin, profileFolder: join(folder.path, 'browser') })
      await opened.window.close()
      expect(await read(opened.profileFolder)).toMatchObject({
        credentials_enable_service: false,
        profile: { password_manager_enabled: false },
      })
      await opened[Symbol.asyncDispose]()
    },
  )
})
