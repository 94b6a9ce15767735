import { hasBrowser } from '@service-link/test-kit/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '../support/accounts.ts'
import { axeProblems, logInOn } from '../support/browser.ts'
import {
  expectInFocus,
  firstPage,
  focusIn,
  goToPostPage,
  linkEmployees,
  openInFrame,
  postHere,
  pressForWindow,
  visitOf,
} from '../support/partner-page.ts'
import { post, sign, visit } from '../support/post.ts'
import { journalUrl, openSites, type Sites, serviceUrl, type Visitor } from '../support/site.ts'

// What an end changes in the service: `test/server/partner-end.test.ts`.
describe.skipIf(!hasBrowser())('a signed end in the browser', () => {
  let sites: Sites

  beforeAll(async () => {
    sites = await openSites({ registration: { frameOrigins: [journalUrl], ends: true } })
    await linkEmployees(sites)
  })
  afterAll(async () => {
    await sites[Symbol.asyncDispose]()
  })

  const endOf = (end: 'context' | 'session') =>
    Object({ organizationId: visit.organizationId, employeeId: visit.employeeId, end })

  /** Opens the visit of a contact, who is then in focus. */
  async function openVisit(visitor: Visitor, contactId: string, firstName?: string) {
    const page = firstPage(visitor)
    await postHere(sites, page, { payload: visitOf(contactId, firstName) })
    await expectInFocus(page, contactId)
    return page
  }

  /** Posts an end from the partner's server. */
  async function endFromServer(end: 'context' | 'session'): Promise<void> {
    const address = { service: { url: `http://127.0.0.1:${sites.service.port}` } }
    const answer = await post(address, await sign(sites, endOf(end)), 'application/json')
    expect(await answer.json()).toEqual({ ended: end })
  }

  test('from a server clears the person in a window, keeps the unsaved form, and a later visit is shown', async () => {
    await using visitor = await sites.browse()
    const page = await openVisit(visitor, 'contact-1', 'Endre')
    await page.getByTestId('edit-person').click()
    await page.locator('[name="mobile"]').fill('typed')
    await endFromServer('context')
    await page.getByTestId('exercise-results').waitFor()
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    expect(await page.getByTestId('signed-in-as').count()).toBe(1)
    // The notice of the kept changes, also after a reload, names nobody.
    for (const goOn of [() => {}, () => page.reload()]) {
      await goOn()
      await page.getByText('Unsaved changes are kept').waitFor()
      expect(await page.content()).not.toMatch(/Endre|contact-1/)
    }
    await page.getByRole('button', { name: 'Go back' }).click()
    expect(await page.locator('[name="mobile"]').inputValue()).toBe('typed')
    await postHere(sites, page, { payload: visitOf('e-2') })
    await expectInFocus(page, 'e-2')
  })

  test('names nobody in an answer that comes after it', async () => {
    await using visitor = await sites.browse()
    const page = await openVisit(visitor, 'e-8', 'Sent')
    await page.getByTestId('edit-person').click()
    await page.locator('[name="mobile"]').fill('saved')
    const ended = Promise.withResolvers<void>()
    await page.route('**/api/persons/*', async route => {
      if (route.request().method() === 'PATCH') await ended.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save' }).click()
    await endFromServer('context')
    await page.getByTestId('exercise-results').waitFor()
    ended.resolve()
    await page.getByText('Saved: the former patient').waitFor()
    expect(await page.content()).not.toMatch(/Sent Li/)
    await page.unroute('**/api/persons/*')
  })

  test('of the session asks for a log-in, after which nobody is in focus', async () => {
    await using visitor = await sites.browse()
    const page = await openVisit(visitor, 'e-3')
    await endFromServer('session')
    await page.getByTestId('login-form').waitFor()
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('signed-in-as').waitFor()
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    expect(page.url()).toBe(`${serviceUrl}/exercises`)
  })

  test('clears the person in a frame of the journal', async () => {
    await using visitor = await sites.browse()
    const frame = await openInFrame(sites, firstPage(visitor), { payload: visitOf('e-4') })
    await focusIn(frame, 'e-4').waitFor()
    await endFromServer('context')
    await frame.getByTestId('exercise-results').waitFor()
    expect(await frame.getByTestId('person-in-focus').count()).toBe(0)
  })

  test('by a form gets a small page, and the other tabs of the browser learn of it', async () => {
    await using visitor = await sites.browse()
    const page = await openVisit(visitor, 'e-5')
    const journal = await visitor.context.newPage()
    await goToPostPage(sites, journal, { payload: endOf('context') })
    const answer = await pressForWindow(journal)
    await answer.getByRole('heading', { name: 'Nobody is selected any more' }).waitFor()
    expect(await axeProblems(answer)).toEqual([])
    await page.getByTestId('exercise-results').waitFor()
    expect(await page.getByTestId('person-in-focus').count()).toBe(0)
    expect(visitor.complaints).toEqual([])
  })
})
