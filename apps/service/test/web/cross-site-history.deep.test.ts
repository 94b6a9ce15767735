import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser } from '../support/browser.ts'
import {
  expectInFocus,
  firstPage,
  goToPostPage,
  linkEmployees,
  press,
  pressForWindow,
  visitOf,
} from '../support/partner-page.ts'
import { journalUrl, openSites, type Sites, serviceUrl } from '../support/site.ts'

describe.skipIf(!hasBrowser())('the way back from a post of another site', () => {
  let sites: Sites

  beforeAll(async () => {
    sites = await openSites()
    await linkEmployees(sites)
  })
  afterAll(async () => {
    await sites[Symbol.asyncDispose]()
  })

  test('back leads to the partner’s page, forward to the same contact, without a new post', async () => {
    await using visitor = await sites.browse({ isUsers: true })
    const page = firstPage(visitor)
    await goToPostPage(sites, page, { payload: visitOf('h-1'), target: '_self' })
    await press(page)
    await expectInFocus(page, 'h-1')
    const posts = countPayloads(sites)
    await page.goBack({ waitUntil: 'commit' })
    expect(page.url()).toBe(`${journalUrl}/test`)
    await page.getByRole('button', { name: 'Open' }).waitFor()
    await page.goForward({ waitUntil: 'commit' })
    await expectInFocus(page, 'h-1')
    expect(new URL(page.url()).origin).toBe(serviceUrl)
    expect(countPayloads(sites)).toBe(posts)
  })

  test('after the sign-out neither “back” nor another tab shows personal data', async () => {
    await using visitor = await sites.browse({ isUsers: true })
    const page = firstPage(visitor)
    await goToPostPage(sites, page, { payload: visitOf('h-3', 'Thorvald'), target: '_self' })
    await press(page)
    await expectInFocus(page, 'h-3')
    await goToPostPage(sites, page, { payload: visitOf('h-4', 'Sunniva') })
    const other = await pressForWindow(page)
    await expectInFocus(other, 'h-4')
    await other.getByTestId('sign-out').click()
    await other.getByTestId('login-form').waitFor()
    await page.goBack({ waitUntil: 'commit' })
    await page.getByTestId('login-form').waitFor()
    for (const tab of [page, other]) {
      expect(await tab.locator('body').textContent()).not.toMatch(/Thorvald|Sunniva|h-3|h-4/)
      expect(await tab.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')).not.toMatch(
        /Ingrid|Thorvald|Sunniva/,
      )
    }
  })
})

/** Number of posted payloads. */
function countPayloads({ seen }: Sites): number {
  return seen.filter(({ method, path }) => method === 'POST' && path === '/partner/payload').length
}
