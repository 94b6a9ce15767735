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
  inSandbox,
  linkEmployees,
  openInFrame,
  visitOf,
} from '../support/partner-page.ts'
import { visit } from '../support/post.ts'
import { hostileUrl, journalUrl, openSites, type Sites, serviceUrl } from '../support/site.ts'

describe.skipIf(!hasBrowser())('a frame without a session', () => {
  const { logger, lines } = keepLog()
  let sites: Sites

  beforeAll(async () => {
    sites = await openSites({ service: { logger }, registration: { frameOrigins: [journalUrl] } })
    await linkEmployees(sites)
  })
  afterAll(async () => {
    await sites[Symbol.asyncDispose]()
  })

  test('[1-first-visit] asks for no password; an unknown employee logs in in a separate window', async () => {
    const payload = {
      ...visit,
      employeeId: 'emp-new',
      contact: { id: 'f-10', firstname: 'Ola', lastname: 'Li' },
    }
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    const frame = await openInFrame(sites, page, { payload, ...inSandbox })
    await frame.getByTestId('framed-log-in').waitFor()
    const { violations } = await new AxeBuilder({ page }).include('iframe').analyze()
    expect(violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))).toEqual([])
    expect(await frame.locator('input[type="password"]').count()).toBe(0)
    expect(await frame.getByTestId('link-confirm').count()).toBe(0)
    const sent = await frame.locator('input[name="visit"]').inputValue()
    const { handle } = z.object({ handle: z.string().min(32) }).parse(JSON.parse(sent))
    const [opened] = await Promise.all([
      visitor.context.waitForEvent('page'),
      clickInFrame(frame.getByRole('button', { name: /window of its own/ })),
    ])
    await opened.getByTestId('pending-visit').waitFor()
    expect(await opened.getByTestId('pending-visit').textContent()).toMatch(
      /Nordlys Journal.*Ingrid Solberg/s,
    )
    expect(opened.url()).toBe(`${serviceUrl}/`)
    await linkOn(opened, accounts.ingrid)
    await expectInFocus(opened, 'f-10')
    await focusIn(await openInFrame(sites, page, { payload, ...inSandbox }), 'f-10').waitFor()
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

  test('only the service’s own pages may show the log-in of a visit', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    sites.show(
      new URL(hostileUrl).host,
      '/log-in',
      `<form method="post" action="${serviceUrl}/partner/log-in"><input name="visit" value="{}"><button>Send</button></form>`,
    )
    await page.goto(`${hostileUrl}/log-in`)
    const [answer] = await Promise.all([
      page.waitForResponse(`${serviceUrl}/partner/log-in`),
      page.getByRole('button').click(),
    ])
    expect(answer.status()).toBe(403)
  })

  test('a browser without cookies gets a message in the frame', async () => {
    await using visitor = await sites.browse({ blocksAllCookies: true })
    const page = firstPage(visitor)
    const frame = await openInFrame(sites, page, { payload: visitOf('f-12') })
    await frame.getByTestId('framed-signed-out').waitFor()
    expect(await frame.getByTestId('framed-signed-out').textContent()).toContain('did not keep the session')
  })
})
