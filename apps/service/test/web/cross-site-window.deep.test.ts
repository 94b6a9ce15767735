import { hasBrowser } from '@service-link/test-kit/browser'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '../support/accounts.ts'
import { logInOn } from '../support/browser.ts'
import {
  expectInFocus,
  firstPage,
  goToPostPage,
  linkEmployees,
  otherVisit,
  postHere,
  pressForWindow,
  visitOf,
} from '../support/partner-page.ts'
import { hostileUrl, journalUrl, openSites, type Sites, serviceUrl } from '../support/site.ts'

/** An unknown employee with a separate person. */
const stranger = {
  ...visitOf('x-of-mallory'),
  employeeId: 'emp-9',
  employeeFirstname: 'Mallory',
  employeeLastname: 'Quinn',
}

/** Confirms the browser's session, which continues without a person in focus. */
async function continueAsIngrid(tab: Page): Promise<void> {
  await tab.getByRole('button', { name: 'Continue as Ingrid Solberg' }).click()
  await expectNobodyInFocus(tab)
}

async function expectNobodyInFocus(tab: Page): Promise<void> {
  await tab.getByTestId('signed-in-as').waitFor()
  expect(await tab.getByTestId('signed-in-as').textContent()).toBe('Ingrid Solberg')
  expect(await tab.getByTestId('person-in-focus').count()).toBe(0)
  expect(await tab.getByTestId('partner-mark').count()).toBe(0)
  await tab.waitForURL(`${serviceUrl}/persons`)
}

describe.skipIf(!hasBrowser())('windows and tabs that another site opens', () => {
  let sites: Sites

  beforeAll(async () => {
    sites = await openSites()
    await linkEmployees(sites)
  })
  afterAll(async () => {
    await sites[Symbol.asyncDispose]()
  })

  test('an unknown employee’s log-in links nothing: the page names visitor, source and rights of the link', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    const comeAsStranger = async () => {
      await goToPostPage(sites, page, { payload: stranger, site: hostileUrl })
      const tab = await pressForWindow(page)
      await tab.getByTestId('pending-visit').waitFor()
      return tab
    }
    const tab = await comeAsStranger()
    await logInOn(tab, accounts.ingrid)
    const question = tab.getByTestId('confirm-link')
    await question.waitFor()
    await tab.reload()
    await question.waitFor()
    const text = await question.textContent()
    for (const said of [
      'Nordlys Journal',
      'Fjordklinikken',
      'Mallory Quinn',
      'emp-9',
      'sign in as this account',
    ])
      expect(text).toContain(said)
    expect(await tab.getByTestId('sent-from').textContent()).toBe(hostileUrl)
    expect(await tab.getByTestId('name-warning').textContent()).toMatch(
      /differ.*Mallory Quinn.*Ingrid Solberg/s,
    )
    expect(await tab.getByTestId('signed-in-as').count()).toBe(0)
    await comeAsStranger()
    await tab.getByTestId('link-decline').click()
    await expectNobodyInFocus(tab)
    await comeAsStranger()
  })

  test.each<[string, (tab: Page) => Promise<unknown>]>([
    ['left', tab => tab.getByRole('button', { name: /not me/ }).click()],
    [
      'too late',
      async tab => {
        await tab.clock.setFixedTime(Date.now() + 11 * 60_000)
        await tab.reload()
        await tab.getByTestId('log-in-expired').waitFor()
      },
    ],
  ])(
    'an unknown employee’s log-in that is %s hides the tab’s former person in focus',
    async (name, leave) => {
      await using visitor = await sites.browse({ setsClock: name === 'too late' })
      const tab = firstPage(visitor)
      await postHere(sites, tab, { payload: visitOf('x-3') })
      await expectInFocus(tab, 'x-3')
      await postHere(sites, tab, { payload: stranger, site: hostileUrl })
      await tab.getByTestId('pending-visit').waitFor()
      await leave(tab)
      await continueAsIngrid(tab)
      await tab.reload()
      await expectNobodyInFocus(tab)
    },
  )

  const accountNotice = (page: Page) => page.locator('[data-testid="notice"][data-subject="account"]')

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
    await postHere(sites, page, { payload: visitOf('h-1') })
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
    await postHere(sites, page, { payload: visitOf('h-3', 'Thorvald') })
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
