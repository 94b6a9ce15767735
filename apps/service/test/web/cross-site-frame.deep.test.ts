import AxeBuilder from '@axe-core/playwright'
import { hasBrowser } from '@service-link/test-kit/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { accounts } from '../support/accounts.ts'
import { linkOn } from '../support/browser.ts'
import { keepLog } from '../support/log.ts'
import {
  clickInFrame,
  expectInFocus,
  firstPage,
  focusIn,
  linkEmployees,
  openInFrame,
  visitOf,
} from '../support/partner-page.ts'
import { visit } from '../support/post.ts'
import { journalUrl, keptCookies, openSites, type Sites, serviceUrl } from '../support/site.ts'

// What each answer allows, and which session it gets: `test/server/frame-session.test.ts`.
describe.skipIf(!hasBrowser())('the service in a frame of another site', () => {
  const { logger, lines } = keepLog()
  let sites: Sites

  beforeAll(async () => {
    sites = await openSites({ service: { logger }, registration: { frameOrigins: [journalUrl] } })
    await linkEmployees(sites)
  })
  afterAll(async () => {
    await sites[Symbol.asyncDispose]()
  })

  test('a permitted partner shows the contact in focus, with a session for its site alone', async () => {
    // The cookie is partitioned, so that it is none of a third party.
    await using visitor = await sites.browse({ blocksThirdPartyCookies: true })
    const page = firstPage(visitor)
    await focusIn(await openInFrame(sites, page, { payload: visitOf('f-1') }), 'f-1').waitFor()
    expect(await keptCookies(page)).toMatchObject([
      {
        name: '__Host-service-frame.session_token',
        path: '/',
        httpOnly: true,
        secure: true,
        sameSite: 'None',
        partitionKey: journalUrl,
      },
    ])
    expect(visitor.complaints).toEqual([])
  })

  test('the app works inside: search, a reload with the contact, a switch by a later post, and the sign-out', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    const frame = await openInFrame(sites, page, { payload: visitOf('f-2') })
    await focusIn(frame, 'f-2').waitFor()
    await clickInFrame(frame.getByRole('link', { name: 'Exercises', exact: true }))
    await frame.getByTestId('exercise-results').waitFor()
    await frame.locator('body').evaluate(() => location.reload())
    await frame.getByTestId('exercise-results').waitFor()
    await focusIn(frame, 'f-2').waitFor()
    await focusIn(await openInFrame(sites, page, { payload: visitOf('f-3') }), 'f-3').waitFor()
    expect(visitor.complaints).toEqual([])
    await clickInFrame(frame.getByTestId('sign-out'))
    await frame.getByTestId('framed-signed-out').waitFor()
    expect(await frame.getByTestId('framed-signed-out').textContent()).toContain('Nobody is signed in here.')
    expect(await keptCookies(page)).toEqual([])
  })

  test('[1-first-visit] asks for no password; an unknown employee logs in in a separate window', async () => {
    const payload = {
      ...visit,
      employeeId: 'emp-new',
      contact: { id: 'f-10', firstname: 'Ola', lastname: 'Li' },
    }
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    const frame = await openInFrame(sites, page, { payload })
    await frame.getByTestId('framed-log-in').waitFor()
    const { violations } = await new AxeBuilder({ page }).include('iframe').analyze()
    expect(violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))).toEqual([])
    expect(await frame.locator('input[type="password"]').count()).toBe(0)
    expect(await frame.getByTestId('link-confirm').count()).toBe(0)
    const sent = await frame.locator('input[name="visit"]').inputValue()
    const { handle } = z.object({ handle: z.string().min(32) }).parse(JSON.parse(sent))
    const [opened] = await Promise.all([
      visitor.context.waitForEvent('page'),
      clickInFrame(frame.getByRole('button', { name: /separate window/ })),
    ])
    await opened.getByTestId('pending-visit').waitFor()
    expect(await opened.getByTestId('pending-visit').textContent()).toMatch(
      /Nordlys Journal.*Ingrid Solberg/s,
    )
    expect(opened.url()).toBe(`${serviceUrl}/`)
    await linkOn(opened, accounts.ingrid)
    await expectInFocus(opened, 'f-10')
    await focusIn(await openInFrame(sites, page, { payload }), 'f-10').waitFor()
    // Only bodies held the handle.
    for (const { path, referer } of sites.seen) expect(`${path} ${referer}`).not.toContain(handle)
    expect(lines.filter(line => line.includes('/partner/log-in'))).not.toEqual([])
    expect(lines.filter(line => line.includes(handle))).toEqual([])
  })

  test('an expired visit of an unknown employee shows nothing of the frame’s former user', async () => {
    await using visitor = await sites.browse({ setsClock: true })
    const page = firstPage(visitor)
    await focusIn(await openInFrame(sites, page, { payload: visitOf('f-11') }), 'f-11').waitFor()
    const frame = await openInFrame(sites, page, { payload: { ...visitOf('f-13'), employeeId: 'emp-late' } })
    await frame.getByTestId('framed-log-in').waitFor()
    await page.clock.setFixedTime(Date.now() + 11 * 60_000)
    await frame.locator('body').evaluate(() => window.location.reload())
    await frame.getByTestId('framed-signed-out').waitFor()
    expect(await frame.getByTestId('framed-signed-out').textContent()).toContain('waited too long')
    expect(await frame.getByTestId('signed-in-as').count()).toBe(0)
  })

  test('a browser without cookies gets a message in the frame', async () => {
    await using visitor = await sites.browse({ blocksAllCookies: true })
    const page = firstPage(visitor)
    const frame = await openInFrame(sites, page, { payload: visitOf('f-12') })
    await frame.getByTestId('framed-signed-out').waitFor()
    expect(await frame.getByTestId('framed-signed-out').textContent()).toContain('did not keep the session')
  })
})
