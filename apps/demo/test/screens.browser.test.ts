import { hasBrowser } from '@service-link/service/test-kit'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openStage, type Screen, type Stage, screens } from './support/screens.ts'

describe.skipIf(!hasBrowser())('screens on paper', () => {
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
})

function screenOf(name: string): Screen {
  const screen = screens.find(screen => screen.name === name)
  if (!screen) throw new TypeError(`There is no screen ${name}.`)
  return screen
}
