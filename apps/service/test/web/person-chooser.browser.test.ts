import { hasBrowser } from '@service-link/test-kit/browser'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { accounts } from '../support/accounts.ts'
import { linkOn } from '../support/browser.ts'
import { expectInFocus, firstPage, linkEmployees, postHere } from '../support/partner-page.ts'
import { visit } from '../support/post.ts'
import { openSites, type Sites } from '../support/site.ts'

const known = {
  id: 'h-1',
  firstname: 'Åse',
  lastname: 'Øvergård',
  birthdate: '1979-05-12',
  ssn: '12857948392',
}
const sent = { ...known, firstname: 'Kristoffer', birthdate: '1999-01-01', ssn: '12857948368' }

const open = (sites: Sites, page: Page, contact: typeof known) =>
  postHere(sites, page, { payload: { ...visit, contact } })

const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.ariaLabel ?? document.activeElement?.textContent)

/** All that the page keeps beyond its memory, and its address. */
const keptText = (page: Page) =>
  page.evaluate(() => JSON.stringify([sessionStorage, localStorage, history.state, location, document.title]))

describe.skipIf(!hasBrowser())('a person whose data differ from the journal’s', () => {
  test('[2.1] comes into focus only with the user’s consent, who sees what was sent beside what is known', async () => {
    await using sites = await openSites()
    await linkEmployees(sites)
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await open(sites, page, known)
    await expectInFocus(page, 'h-1')
    // The keyboard and one sentence come with the visit.
    await page.locator('[data-testid="person-detail"] h2:focus').waitFor()
    await page.getByTestId('notice').getByText('You are working with Åse Øvergård now').waitFor()
    expect(await page.getByTestId('notice').count()).toBe(1)
    await page.getByRole('link', { name: 'Open Åse Øvergård', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Close: stop working with Åse Øvergård', exact: true }).waitFor()

    await open(sites, page, sent)
    const chooser = page.getByTestId('person-chooser')
    await chooser.waitFor()
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    const rows = chooser.getByRole('listitem')
    expect((await rows.allTextContents()).map(text => text.replaceAll(/[\u2068\u2069]/g, ''))).toEqual([
      expect.stringContaining('First name: sent Kristoffer, known Åse. differs'),
      expect.not.stringContaining('differs'),
      expect.stringContaining('Date of birth: sent 1 Jan 1999, known 12 May 1979. differs'),
      expect.stringContaining('sent 128579 •••••, known 128579 •••••. the hidden digits differ'),
      expect.not.stringContaining('differs'),
    ])
    expect(await chooser.locator('h3 bdi').textContent()).toBe('Åse Øvergård')
    expect(await page.content()).not.toContain(sent.ssn)
    const numbers = chooser.getByTestId('show-numbers')
    const shown = chooser.locator('[data-testid="compared-ssn"] bdi')
    await numbers.press('Enter')
    expect(await shown.allTextContents()).toEqual([sent.ssn, known.ssn])
    await numbers.press('Enter')
    expect(await shown.allTextContents()).toEqual(['128579 •••••', '128579 •••••'])
    await chooser.locator('.dialog-head button').focus()
    expect(await focused(page)).toBe('Choose nobody')
    await page.keyboard.press('Enter')
    await chooser.waitFor({ state: 'detached' })
    const notice = page.locator('[data-testid="notice"][data-subject="choice"]')
    await notice.getByText('You are working with nobody').waitFor()
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content')

    await open(sites, page, sent)
    await chooser.waitFor()
    await page.reload()
    await notice.getByText('You are working with nobody').waitFor()

    await open(sites, page, sent)
    await page.getByTestId('another-person').click()
    await page.getByTestId('person-search').waitFor()
    expect(await page.getByTestId('person-search').inputValue()).toBe('Kristoffer Øvergård')
    await page.locator('[data-testid="person-search"]:focus').waitFor()
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    expect(await keptText(page)).not.toMatch(/Kristoffer|1999-/)

    await open(sites, page, sent)
    await page.getByTestId('choose-person').click()
    await expectInFocus(page, 'h-1')
    expect(await notice.textContent()).toMatch(
      /working with Åse.*First name.*Kristoffer.*birth.*number \S*128579 •{5}\S*: the hidden digits differ.*Edit/,
    )
    await page.locator('[data-testid="person-detail"] h2:focus').waitFor()
    expect(await page.getByTestId('notice').count()).toBe(1)
    // On a telephone the notice covers no field that has the keyboard.
    await page.setViewportSize({ width: 360, height: 740 })
    await page.getByTestId('edit-person').click()
    for (const field of await page.locator('[data-testid="person-form"] [name]').all()) {
      await page.keyboard.press('Tab')
      const isCovered = await page.evaluate(() => {
        const top = document.querySelector('.notice')?.getBoundingClientRect().top ?? 0
        const active = document.activeElement
        return active?.closest('form') && active.getBoundingClientRect().bottom > top
      })
      expect(isCovered, (await field.getAttribute('name')) ?? '').toBe(false)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.reload()
    await expectInFocus(page, 'h-1')
    expect(await page.getByTestId('notice').count()).toBe(0)
    expect(visitor.complaints).toEqual([])
  })

  test('is asked about after the log-in of a first visit, and by nobody who signs in later', async () => {
    await using sites = await openSites()
    await linkEmployees(sites)
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await open(sites, page, known)
    await expectInFocus(page, 'h-1')
    await postHere(sites, page, { payload: { ...visit, employeeId: 'emp-9', contact: sent } })
    await linkOn(page, accounts.ingrid)
    await page.getByTestId('person-candidate').getByText('Kristoffer').last().waitFor()
    expect(await keptText(page)).not.toMatch(/Kristoffer|1999-/)
    const cookies = await visitor.context.cookies()
    // A sign-out or sign-in of another tab has the page ask for its session.
    const askForSession = () =>
      page.evaluate(() => window.dispatchEvent(new StorageEvent('storage', { key: null })))
    await visitor.context.clearCookies()
    await askForSession()
    await page.getByTestId('login-form').waitFor()
    await visitor.context.addCookies(cookies)
    await askForSession()
    await page.getByTestId('person-search').waitFor()
    expect(await page.getByTestId('person-chooser').count()).toBe(0)
  })
})
