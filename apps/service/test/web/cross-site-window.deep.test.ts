import { hasBrowser } from '@service-link/test-kit/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  expectInFocus,
  firstPage,
  goToPostPage,
  linkEmployees,
  otherVisit,
  press,
  pressForWindow,
  visitOf,
} from '../support/partner-page.ts'
import { journalUrl, openSites, type Sites, serviceUrl } from '../support/site.ts'

/** Name and features of the partner's window for the service. */
const inWindow = { target: 'the-service', features: 'popup,width=1100,height=760' }

describe.skipIf(!hasBrowser())('posts from another site, and the way back', () => {
  let sites: Sites

  beforeAll(async () => {
    sites = await openSites()
    await linkEmployees(sites)
  })
  afterAll(async () => {
    await sites[Symbol.asyncDispose]()
  })

  const accountNotice = (page: Page) => page.locator('[data-testid="notice"][data-subject="account"]')

  test('a second post into the same named window switches its contact and opens no other', async () => {
    await using visitor = await sites.browse()
    const journal = firstPage(visitor)
    await goToPostPage(sites, journal, { payload: visitOf('w-1'), ...inWindow })
    const popup = await pressForWindow(journal)
    await expectInFocus(popup, 'w-1')
    await goToPostPage(sites, journal, { payload: visitOf('w-2'), ...inWindow })
    await press(journal)
    await expectInFocus(popup, 'w-2')
    expect(visitor.context.pages()).toHaveLength(2)
  })

  test('each of two tabs keeps its contact', async () => {
    await using visitor = await sites.browse()
    const journal = firstPage(visitor)
    await goToPostPage(sites, journal, { payload: visitOf('w-4') })
    const first = await pressForWindow(journal)
    await expectInFocus(first, 'w-4')
    await goToPostPage(sites, journal, { payload: visitOf('w-5') })
    await expectInFocus(await pressForWindow(journal), 'w-5')
    await first.reload()
    await expectInFocus(first, 'w-4')
  })

  test('another account visibly replaces the signed-in one, whose tab shows nothing of it', async () => {
    await using visitor = await sites.browse()
    const journal = firstPage(visitor)
    await goToPostPage(sites, journal, { payload: visitOf('w-6', 'Åse') })
    const ofIngrid = await pressForWindow(journal)
    await expectInFocus(ofIngrid, 'w-6')
    await goToPostPage(sites, journal, { payload: otherVisit })
    const ofSamuel = await pressForWindow(journal)
    await expectInFocus(ofSamuel, otherVisit.contact.id)
    for (const tab of [ofSamuel, ofIngrid]) {
      await accountNotice(tab).waitFor()
      expect(await accountNotice(tab).textContent()).toMatch(
        /Samuel Okafor is signed in now.*Ingrid Solberg/s,
      )
    }
    expect(await ofIngrid.getByTestId('person-in-focus').count()).toBe(0)
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
