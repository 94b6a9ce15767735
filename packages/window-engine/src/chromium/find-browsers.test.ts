import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linux } from '../platform/linux.ts'
import type { Policy } from '../platform/policies.ts'
import type { BrowserFamily, WindowPlatform } from '../platform/window-platform.ts'
import { createChromiumEngine } from './create-chromium-engine.ts'
import { findBrowsers } from './find-browsers.ts'

describe('findBrowsers', () => {
  let folder: string
  const at = (name: string) => join(folder, name)
  const forbidding = (...families: readonly BrowserFamily[]): WindowPlatform => ({
    ...linux,
    browserPlaces: () => [
      { family: 'chrome', executable: at('absent') },
      { family: 'chrome', executable: at('chrome-stable') },
      { family: 'chrome', executable: at('chrome') },
      { family: 'edge', executable: at('edge') },
      { family: 'chromium', executable: at('chromium') },
    ],
    readPolicies: async (family): Promise<readonly Policy[]> =>
      families.includes(family) ? [{ name: 'BrowserSignin', value: 2, place: 'here' }] : [],
  })
  const platform = forbidding()
  const find = async (options: Partial<Parameters<typeof findBrowsers>[0]>) => {
    const found = await findBrowsers({ platform, environment: {}, ...options }, {})
    return typeof found === 'string'
      ? found
      : found.map(({ executable }) => executable.slice(folder.length + 1))
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'find-browsers-'))
    for (const name of ['chrome', 'edge', 'chromium', 'mine']) await writeFile(at(name), '', { mode: 0o755 })
    await symlink(at('chrome'), at('chrome-stable'))
    await mkdir(at('folder'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it.each<[string, Parameters<typeof find>[0], readonly string[]]>([
    ['those that exist, once each', {}, ['chrome-stable', 'edge', 'chromium']],
    ['a preferred family first', { preferredFamily: 'edge' }, ['edge', 'chrome-stable', 'chromium']],
    [
      'those that a policy forbids last',
      { platform: forbidding('chrome') },
      ['edge', 'chromium', 'chrome-stable'],
    ],
    ['the family of the setting alone', { browser: 'edge', platform: forbidding('edge') }, ['edge']],
  ])('finds %s', async (_name, options, expected) => {
    expect(await find(options)).toEqual(expected)
  })

  it('prefers a browser of the wrapper, then one that is named alone', async () => {
    const ownBrowser = at('mine')
    expect(await find({ ownBrowser })).toEqual(['mine', 'chrome-stable', 'edge', 'chromium'])
    expect(await find({ ownBrowser, browser: 'chromium' })).toEqual(['mine', 'chromium'])
    expect(await find({ ownBrowser, browser: at('edge') })).toEqual(['edge'])
    expect(await find({ browser: at('edge'), environment: { SERVICE_BROWSER: at('chrome') } })).toEqual([
      'chrome',
    ])
    expect(await find({ environment: { SERVICE_BROWSER: at('chrome') }, executable: at('mine') })).toEqual([
      'mine',
    ])
  })

  it.each(['absent', 'folder'])('takes no other browser when %s is named', async name => {
    expect(await find({ environment: { SERVICE_BROWSER: at(name) } })).toContain('SERVICE_BROWSER')
    expect(await find({ browser: at(name) })).toContain('The setting Browser')
    expect(await find({ executable: at(name) })).toContain('The option executable')
  })

  it('says what to do when there is none', async () => {
    const none = { ...platform, browserPlaces: () => [] }
    expect(await find({ platform: none })).toMatch(/Install .*Chromium/)
    expect(await find({ platform: none, browser: 'edge' })).toContain('the setting Browser')
  })
})

it.each(['red', '#12345', '#123456}*{display:none'])('opens no window in the color %s', async color => {
  const texts = { url: '', profileFolder: '', userAgentSuffix: '', pageScript: '' }
  await expect(
    createChromiumEngine().open({ ...texts, allowedOrigins: [], look: { color } }),
  ).rejects.toMatchObject({ code: 'ERR_PARAMETER', parameter: 'options.look.color' })
})
