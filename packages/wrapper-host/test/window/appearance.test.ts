import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { createMemoryEngine } from '../../src/testing/memory-engine.ts'
import { AppearanceKeeper, readAppearance, writeAppearance } from '../../src/window/keep-appearance.ts'
import { startHosted } from '../support/hosted-wrapper.ts'
import { emptyWorld, openingOf } from '../support/opening.ts'

const placement = { left: -10, top: 20, width: 1200, height: 800 }
const soon = { timeout: 60_000 }

/** The user's settings in the file. */
async function userConfig(userFolder: string): Promise<string> {
  const folders = await readdir(userFolder, { recursive: true })
  const file = folders.find(name => name.endsWith('user.config'))
  return file ? readFile(join(userFolder, file), 'utf8') : ''
}

describe('the window’s place chosen by the user', () => {
  test('is saved once it settles, with the zoom', async () => {
    await using hosted = await startHosted()
    for (const left of [1, 2, 3])
      hosted.window.changeAppearance({ placement: { ...placement, left }, zoom: 1 })
    hosted.window.changeAppearance({ placement, zoom: 1.25 })
    await vi.waitFor(async () => {
      const text = await userConfig(hosted.userFolder)
      expect(text).toContain('<value>-10,20,1200,800</value>')
      expect(text).toContain('<value>1.25</value>')
    }, soon)
  })

  test('is saved at the end, however soon that comes', async () => {
    await using hosted = await startHosted()
    hosted.window.changeAppearance({ placement, zoom: 0.8 })
    await hosted.wrapper.close()
    expect(await userConfig(hosted.userFolder)).toContain('<value>0.8</value>')
  })

  test('is used when a window is reopened after its engine was lost', async () => {
    await using hosted = await startHosted({ settings: { Culture: 'nb-NO' } })
    const { window: first } = hosted
    first.changeAppearance({ placement, zoom: 0.8 })
    first.lose()
    await vi.waitFor(() => expect(hosted.window).not.toBe(first), soon)
    expect(hosted.opened[0]).not.toHaveProperty('placement')
    const { userAgentSuffix, languages } = hosted.opened[0] ?? {}
    expect(userAgentSuffix).toMatch(/^Service.Client.WebWrapper\/3/)
    expect(languages).toEqual(['nb-NO', 'nb'])
    expect(hosted.opened[1]).toMatchObject({ placement, zoom: 0.8, userAgentSuffix, languages })
  })

  test('that cannot be saved is reported, without the place', async () => {
    const engine = createMemoryEngine(emptyWorld, { isSignedIn: false })
    await using window = await engine.open(openingOf('https://app.example/'))
    const events: unknown[] = []
    const keeper = new AppearanceKeeper(window, {
      save: () => Promise.reject(Object.assign(new Error('/home/kari'), { code: 'EACCES' })),
      report: event => void events.push(event),
    })
    engine.window?.changeAppearance({ placement, zoom: 1 })
    await keeper[Symbol.asyncDispose]()
    expect(events).toEqual([{ type: 'settings-unsaved', code: 'EACCES' }])
  })
})

describe('the looks of a window as settings', () => {
  test.each([
    [
      { placement, zoom: 1 },
      { WindowPlacement: '-10,20,1200,800', Zoom: '1' },
    ],
    [
      { placement: { left: 0.4, top: -0.6, width: 10.5, height: 7 }, zoom: 1.1000000000000001 },
      { WindowPlacement: '0,-1,11,7', Zoom: '1.1' },
    ],
  ])('%j is written %j', (appearance, settings) => {
    expect(writeAppearance(appearance)).toEqual(settings)
  })

  test('are read back, and left to the engine when missing', () => {
    const appearance = { placement, zoom: 1.25 }
    expect(readAppearance(writeAppearance(appearance))).toEqual(appearance)
    expect(readAppearance({ WindowPlacement: '', Zoom: '' })).toEqual({})
  })
})
