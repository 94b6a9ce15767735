import { hasBrowser } from '@service-link/service/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStage, type Screen, type Stage, screens } from './support/screens.ts'

describe.skipIf(!hasBrowser())('screens on paper and over the network', () => {
  let stage: Stage

  beforeAll(async () => {
    stage = await openStage()
  })
  afterAll(() => stage[Symbol.asyncDispose]())

  test.each([
    ['patient', 1],
    ['workout', 1],
    ['my workout', 1],
  ])('%s prints on %i page without bars, buttons and menus', async (name, pages) => {
    const screen = screenOf(name)
    const page = await stage.pageFor(screen, 'nb-NO')
    await screen.open(page, stage)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(
      await page.locator('button, header, nav, [role="tablist"]').filter({ visible: true }).count(),
    ).toBe(0)
    const pdf = await page.pdf({ format: 'A4' })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(pages)
    await page.emulateMedia({ media: 'screen' })
  })

  test.each([
    ['log-in', 120_000],
    ['log-in of patients', 100_000],
    ['my workouts', 100_000],
  ])('%s needs less than %i bytes', async (name, most) => {
    const screen = screenOf(name)
    const page = await stage.pageFor(screen, 'nb-NO')
    const network = await page.context().newCDPSession(page)
    const sizes: number[] = []
    network.on('Network.dataReceived', ({ encodedDataLength }) => sizes.push(encodedDataLength))
    await network.send('Network.enable')
    await network.send('Network.setCacheDisabled', { cacheDisabled: true })
    await screen.open(page, stage)
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(80_000)
    expect(bytes).toBeLessThan(most)
  })
})

function screenOf(name: string): Screen {
  const screen = screens.find(screen => screen.name === name)
  if (!screen) throw new TypeError(`There is no screen ${name}.`)
  return screen
}
