import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linux } from '../platform/linux.ts'
import type { WindowPlatform } from '../platform/window-platform.ts'
import { createChromiumEngine, findBrowser } from './create-chromium-engine.ts'

describe('findBrowser', () => {
  let folder: string
  const at = (name: string) => join(folder, name)
  const platform: WindowPlatform = {
    ...linux,
    browserPlaces: () => [
      { family: 'chrome', executable: at('absent') },
      { family: 'chrome', executable: at('chrome') },
      { family: 'edge', executable: at('edge') },
    ],
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'find-browser-'))
    for (const name of ['chrome', 'edge', 'mine']) await writeFile(at(name), '', { mode: 0o755 })
    await mkdir(at('folder'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  it('takes the first existing one', async () => {
    expect(await findBrowser({ platform, environment: {} })).toEqual({ executable: at('chrome') })
  })

  it('prefers the given family', async () => {
    expect(await findBrowser({ platform, environment: {}, preferredFamily: 'edge' })).toEqual({
      executable: at('edge'),
    })
    expect(await findBrowser({ platform, environment: {}, preferredFamily: 'chromium' })).toEqual({
      executable: at('chrome'),
    })
  })

  it('prefers the one named by the variable', async () => {
    const environment = { SERVICE_BROWSER: at('mine') }
    expect(await findBrowser({ platform, environment, preferredFamily: 'edge' })).toEqual({
      executable: at('mine'),
    })
  })

  it.each(['absent', 'folder'])(
    'does not fall back when the variable names a program that cannot start: %s',
    async name => {
      const found = await findBrowser({ platform, environment: { SERVICE_BROWSER: at(name) } })
      expect(found).toEqual({ reason: expect.stringContaining('SERVICE_BROWSER') })
    },
  )

  it('says what to install when there is none', async () => {
    const none = { ...platform, browserPlaces: () => [] }
    expect(await findBrowser({ platform: none, environment: {} })).toEqual({
      reason: expect.stringMatching(/Install .*Chromium/),
    })
  })
})

it.each(['red', '#12345', '#123456}*{display:none'])('opens no window in the color %s', async color => {
  const texts = { url: '', profileFolder: '', userAgentSuffix: '', pageScript: '' }
  await expect(
    createChromiumEngine().open({ ...texts, allowedOrigins: [], look: { color } }),
  ).rejects.toMatchObject({ code: 'ERR_PARAMETER', parameter: 'options.look.color' })
})
