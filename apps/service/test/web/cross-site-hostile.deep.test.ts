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
  press,
  pressForWindow,
  visitOf,
} from '../support/partner-page.ts'
import { sign } from '../support/post.ts'
import { hostileUrl, keptCookies, openSites, type Sites, serviceUrl } from '../support/site.ts'

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

describe.skipIf(!hasBrowser())('a site that posts another person’s payload', () => {
  let sites: Sites

  beforeAll(async () => {
    sites = await openSites()
    await linkEmployees(sites)
  })
  afterAll(async () => {
    await sites[Symbol.asyncDispose]()
  })

  test('cannot spend a visitor’s limit with the posts of its script', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    const used = await sign(sites, visitOf('x-1'))
    await goToPostPage(sites, page, { token: used })
    await expectInFocus(await pressForWindow(page), 'x-1')
    sites.show(new URL(hostileUrl).host, '/flood', '<!doctype html><title>flood</title>')
    await page.goto(`${hostileUrl}/flood`)
    const before = sites.seen.length
    await page.evaluate(
      async ([url = '', payload = '']) => {
        const body = new URLSearchParams({ payload })
        // The browser keeps the answer from the page.
        const send = () => fetch(url, { method: 'POST', mode: 'no-cors', body }).catch(() => undefined)
        for (let count = 0; count < 20; count++) await send()
      },
      [`${serviceUrl}/partner/payload`, used],
    )
    // A thousand such posts cost no budget: partner-link.test.ts.
    const scripted = { method: 'POST', mode: 'no-cors', site: 'cross-site' }
    // The first visit's window may still load its list.
    const posts = sites.seen.slice(before).filter(({ site }) => site !== 'same-origin')
    expect(posts).toMatchObject(Array.from({ length: 20 }, () => scripted))
    await goToPostPage(sites, page, { token: used })
    const refused = await pressForWindow(page)
    await refused.getByText('ERR_PAYLOAD_REPLAYED').waitFor({ state: 'attached' })
  })

  test('links no unknown employee silently: the log-in names the visitor and can be left', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await goToPostPage(sites, page, { payload: visitOf('x-2') })
    const mine = await pressForWindow(page)
    await expectInFocus(mine, 'x-2')
    const [session] = await keptCookies(page)
    await goToPostPage(sites, page, { payload: stranger, site: hostileUrl })
    const tab = await pressForWindow(page)
    await tab.getByTestId('pending-visit').waitFor()
    expect(await tab.getByTestId('pending-visit').textContent()).toContain('Mallory Quinn')
    expect(await keptCookies(page)).toEqual([session])
    await tab.getByRole('button', { name: /not me/ }).click()
    await continueAsIngrid(tab)
    await mine.reload()
    await expectInFocus(mine, 'x-2')
    // No link was made: that employee's next post waits for a log-in again.
    await goToPostPage(sites, page, { payload: stranger })
    await (await pressForWindow(page)).getByTestId('pending-visit').waitFor()
  })

  test('links nothing by the log-in: the page names visitor, source and rights of the link', async () => {
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
      'left and loaded again',
      async tab => {
        await tab.getByRole('button', { name: /not me/ }).click()
        await tab.reload()
      },
    ],
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
      await goToPostPage(sites, tab, { payload: visitOf('x-3'), target: '_self' })
      await press(tab)
      await expectInFocus(tab, 'x-3')
      await goToPostPage(sites, tab, { payload: stranger, site: hostileUrl, target: '_self' })
      await press(tab)
      await tab.getByTestId('pending-visit').waitFor()
      await leave(tab)
      await continueAsIngrid(tab)
      await tab.reload()
      await expectNobodyInFocus(tab)
    },
  )
})
