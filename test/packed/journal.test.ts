import { expect, test } from 'vitest'
import { hasBrowser, launchBrowser } from '../../internal/test-kit/src/browser.ts'
import { describePacked, nodesOf, start } from './packed.ts'

const [oldest] = nodesOf('jwt-payload')

describePacked(`an Express journal with helmet’s policy on Node ${oldest?.version}`, () => {
  test.skipIf(!hasBrowser()).each([
    ['the button of a page without scripts', '/open/4711', true],
    ['a page that submits its form by a nonce', '/submit/4711', false],
  ])('opens the service by %s', async (_title, path, needsClick) => {
    await using programs = await start(oldest?.path ?? '', ['journal.mjs'])
    const { journal, service } = JSON.parse(programs.firstLine)
    await using browser = await launchBrowser()
    const page = await browser.newPage()
    await page.goto(journal)
    const [tab] = await Promise.all([page.waitForEvent('popup'), page.locator(`a[href="${path}"]`).click()])
    if (needsClick) await tab.getByRole('button').click()
    await tab.waitForURL(`${service}/**`)
    expect(await tab.textContent('p')).toBe('signed-in Kari')
  })
})
