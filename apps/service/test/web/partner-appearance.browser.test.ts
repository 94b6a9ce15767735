import { hasBrowser } from '@service-link/test-kit/browser'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { accounts } from '../support/accounts.ts'
import { expectAccessible, linkOn, logInOn } from '../support/browser.ts'
import { expectInFocus, firstPage, linkEmployees, postHere, visitOf } from '../support/partner-page.ts'
import { openSites, type Sites, serviceUrl } from '../support/site.ts'

const logoUrl = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><circle cx="20" cy="20" r="18" fill="#123456"/></svg>',
)}`

describe.skipIf(!hasBrowser())('the web app’s look for a partner’s visitors', () => {
  const visit = (sites: Sites, page: Page, id: string) => postHere(sites, page, { payload: visitOf(id) })

  test('name, logo, color and first view apply from the log-in on, and texts are readable', async () => {
    const appearance = { displayName: 'Nordlys EPJ', logoUrl, color: '#ffe600', landingView: 'workouts' }
    await using sites = await openSites({ registration: { appearance } })
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await visit(sites, page, 'a-1')
    const mark = page.getByTestId('partner-mark')
    await mark.waitFor()
    expect(await page.getByTestId('pending-visit').textContent()).toMatch(/Nordlys EPJ\W+opens a patient/)
    await expectAccessible(page)
    await linkOn(page, accounts.ingrid)
    await expectInFocus(page, 'a-1')
    await page.getByTestId('workout-results').waitFor()
    expect(page.url()).toBe(`${serviceUrl}/workouts`)
    expect(await mark.textContent()).toBe('Nordlys EPJ')
    expect(await mark.evaluate(element => getComputedStyle(element).backgroundColor)).toBe('rgb(255, 230, 0)')
    expect(await mark.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(40)
    await expectAccessible(page)
    await page.reload()
    await expectInFocus(page, 'a-1')
    expect(await mark.textContent()).toBe('Nordlys EPJ')
    await page.getByTestId('sign-out').click()
    await page.getByTestId('login-form').waitFor()
    expect(await mark.count()).toBe(0)
    expect(visitor.complaints).toEqual([])
  })

  test.each([
    ['is broken', 'data:image/png;base64,AAAA'],
    ['lies at an address, which would learn of each visit', 'https://journal.example/logo.png'],
  ])('a logo that %s leaves the name, and an unknown view leads to the person', async (_, broken) => {
    const appearance = { logoUrl: broken, color: '#0b4f4a', landingView: 'elsewhere' }
    await using sites = await openSites({ registration: { appearance } })
    await linkEmployees(sites)
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await visit(sites, page, 'a-2')
    await expectInFocus(page, 'a-2')
    const mark = page.getByTestId('partner-mark')
    expect(await mark.textContent()).toBe('Nordlys Journal')
    await mark.locator('img').waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toMatch(/^\/persons\/\d+$/)
    expect(sites.seen.some(({ path }) => path === '/logo.png')).toBe(false)
  })

  test('an employee sees the connected programs and ends a link: the next visit asks for a log-in', async () => {
    await using sites = await openSites()
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    // Otherwise the dialog's colors are measured during its fade-in.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await visit(sites, page, 'a-3')
    await linkOn(page, accounts.ingrid)
    await expectInFocus(page, 'a-3')
    const notice = page.getByTestId('new-link')
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    await page.getByTestId('linked-applications').click()
    const link = page.getByTestId('partner-link')
    await link.waitFor()
    expect(await link.textContent()).toMatch(/Nordlys Journal.*Ingrid Solberg.*Fjordklinikken.*since/)
    await page.keyboard.press('Escape')
    expect(await notice.count()).toBe(0)
    await page.getByTestId('sign-out').click()
    await logInOn(page, accounts.ingrid)
    await notice.waitFor()
    expect(await notice.textContent()).toMatch(
      /Nordlys Journal can sign in as you now.*Ingrid Solberg.*Fjordklinikken/s,
    )
    await page.reload()
    await notice.waitFor()
    await page.getByTestId('person-result').first().click()
    await page.getByTestId('put-in-focus').click()
    await page.getByRole('button', { name: 'Close: stop working' }).click()
    // A notice with a choice is seen with the new link.
    await page.getByTestId('notice-action').click({ timeout: 5000 })
    await expectInFocus(page, 'a-3')
    await notice.getByRole('button', { name: 'That was me' }).click()
    await notice.waitFor({ state: 'detached' })
    await page.getByTestId('linked-applications').click()
    await page.getByRole('button', { name: 'Disconnect Nordlys Journal' }).click()
    expect(await focused()).toBe('Cancel')
    await page.keyboard.press('Enter')
    await link.getByRole('button', { name: 'Disconnect Nordlys Journal' }).click()
    await link.getByTestId('unlink-confirm').click()
    await page.getByTestId('no-links').waitFor()
    expect(await focused()).toBe('×')
    await visit(sites, page, 'a-3')
    await page.getByTestId('pending-visit').waitFor()
    await linkOn(page, accounts.ingrid)
    await expectInFocus(page, 'a-3')
    await page.getByTestId('sign-out').click()
    await logInOn(page, accounts.ingrid)
    await notice.getByRole('button', { name: 'Disconnect Nordlys Journal' }).click()
    await notice.getByTestId('unlink-confirm').click()
    await notice.waitFor({ state: 'detached' })
    await visit(sites, page, 'a-3')
    await page.getByTestId('pending-visit').waitFor()
    // The question is readable, too.
    await logInOn(page, accounts.samuel)
    await page.getByTestId('name-warning').waitFor()
    expect(await focused()).toBe('No, do not connect')
    await expectAccessible(page)
  })
})
