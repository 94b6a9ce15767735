import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { nextEvent } from '@service-link/test-kit/next-event'
import { killRenderers } from '@service-link/test-kit/processes'
import { serveSite } from '@service-link/test-kit/site'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, test } from 'vitest'
import { makeProfile, removeProfile } from '../../src/chromium/browser-profile.ts'
import { createChromiumEngine } from '../../src/chromium/create-chromium-engine.ts'

const read = async (profile: string) =>
  JSON.parse(await readFile(join(profile, 'Default', 'Preferences'), 'utf8'))

describe('a profile', () => {
  test('is another private folder each time, in which nothing typed is remembered', async () => {
    await using folder = await temporaryFolder()
    const profileFolder = join(folder.path, 'browser')
    const profile = await makeProfile({ profileFolder, origins: [] })
    expect(await read(profile)).toMatchObject({
      credentials_enable_service: false,
      profile: { password_manager_enabled: false },
      autofill: { profile_enabled: false },
      translate: { enabled: false },
    })
    if (process.platform !== 'win32')
      for (const made of [profileFolder, profile]) expect((await stat(made)).mode & 0o077).toBe(0)
    expect(await makeProfile({ profileFolder, origins: [] })).not.toBe(profile)
    expect(await removeProfile(profile)).toBeUndefined()
    expect(await readdir(profileFolder)).toHaveLength(1)
  })

  test.skipIf(!hasBrowser)(
    'is adopted by the browser, which neither drops nor overrides its preferences, and goes with it',
    async () => {
      await using site = await serveSite({ '/': '<title>page</title>' })
      await using opened = await openTestWindow({ url: site.origin })
      await nextEvent(opened.window, 'loaded')
      const [name = ''] = await readdir(opened.profileFolder)
      expect(await read(join(opened.profileFolder, name))).toMatchObject({
        credentials_enable_service: false,
        profile: { password_manager_enabled: false },
      })
      await opened.window.close()
      expect(await readdir(opened.profileFolder)).toEqual([])
    },
  )

  test.skipIf(!hasBrowser || process.platform !== 'linux')(
    'holds caches and crash dumps too, which browsers keep elsewhere',
    async () => {
      await using home = await temporaryFolder()
      const variables = {
        XDG_CONFIG_HOME: join(home.path, 'config'),
        XDG_CACHE_HOME: join(home.path, 'cache'),
      }
      const engine = createChromiumEngine({ isHeadless: true, environment: { ...process.env, ...variables } })
      await using site = await serveSite({ '/': '<title>page</title>' })
      const profileFolder = join(variables.XDG_CONFIG_HOME, 'wrapper', 'browser')
      await using opened = await openTestWindow({ url: site.origin, profileFolder }, engine)
      await nextEvent(opened.window, 'loaded')
      const crashed = nextEvent(opened.window, 'pageCrashed')
      await killRenderers(profileFolder, 'SIGSEGV')
      await crashed
      await opened.window.close()
      const entries = await readdir(home.path, { recursive: true, withFileTypes: true })
      const files = entries.filter(entry => entry.isFile()).map(({ parentPath }) => parentPath)
      // The desktop's settings are read into a cache of their own.
      expect(files.filter(folder => !folder.endsWith('dconf'))).toEqual([])
    },
  )
})
