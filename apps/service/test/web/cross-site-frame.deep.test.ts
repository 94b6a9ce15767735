import { hasBrowser } from '@service-link/test-kit/browser'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  clickInFrame,
  expectBlocked,
  expectInFocus,
  firstPage,
  focusIn,
  goToPostPage,
  inFrame,
  linkEmployees,
  openInFrame,
  press,
  pressForWindow,
  visitOf,
} from '../support/partner-page.ts'
import { visit } from '../support/post.ts'
import { hostileUrl, journalUrl, keptCookies, openSites, type Sites, serviceUrl } from '../support/site.ts'

const frameCookie = '__Host-service-frame.session_token'

describe.skipIf(!hasBrowser())('the service in a frame of another site', () => {
  let sites: Sites

  beforeAll(async () => {
    sites = await openSites({ registration: { frameOrigins: [journalUrl] } })
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
        name: frameCookie,
        path: '/',
        httpOnly: true,
        secure: true,
        sameSite: 'None',
        partitionKey: journalUrl,
      },
    ])
    expect(visitor.complaints).toEqual([])
  })

  test('the app works inside: search, a reload with the contact, and a switch by a later post', async () => {
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
  })

  test('the frame’s session differs from that of a tab and of a frame under another site', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await focusIn(await openInFrame(sites, page, { payload: visitOf('f-4') }), 'f-4').waitFor()
    const tab = await visitor.context.newPage()
    await tab.goto(`${serviceUrl}/workouts`)
    await tab.getByTestId('login-form').waitFor()
    expect(sites.seen.filter(({ path }) => path === '/workouts')).toMatchObject([
      { destination: 'document', cookie: undefined },
    ])
    sites.show(new URL(hostileUrl).host, '/frame', `<iframe src="${serviceUrl}/persons"></iframe>`)
    const before = sites.seen.length
    await tab.goto(`${hostileUrl}/frame`)
    await expectBlocked(tab)
    // The first frame may still load its list.
    const requests = sites.seen.slice(before).filter(({ site }) => site !== 'same-origin')
    expect(requests.filter(({ host }) => host === 'service.example')).toMatchObject([
      { path: '/persons', destination: 'iframe', cookie: undefined },
    ])
  })

  test('the browser refuses another site’s frame with the same partner’s payload', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await openInFrame(sites, page, { payload: visitOf('f-5'), site: hostileUrl })
    await expectBlocked(page)
  })

  test('the sign-out ends only the frame’s session', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await goToPostPage(sites, page, { payload: visitOf('f-6') })
    const tab = await pressForWindow(page)
    await expectInFocus(tab, 'f-6')
    const frame = await openInFrame(sites, page, { payload: visitOf('f-7') })
    await focusIn(frame, 'f-7').waitFor()
    await clickInFrame(frame.getByTestId('sign-out'))
    await frame.getByTestId('framed-signed-out').waitFor()
    expect(await frame.getByTestId('framed-signed-out').textContent()).toContain('Nobody is signed in here.')
    expect((await keptCookies(page)).map(({ name }) => name)).toEqual(['__Host-service.session_token'])
    await tab.reload()
    await expectInFocus(tab, 'f-6')
  })
})

describe.skipIf(!hasBrowser())('a partner without permission to frame the service', () => {
  test('is refused by the browser, for known and unknown employees', async () => {
    await using sites = await openSites()
    await linkEmployees(sites)
    for (const employeeId of [visit.employeeId, 'emp-new']) {
      await using visitor = await sites.browse()
      const page = firstPage(visitor)
      await goToPostPage(sites, page, { ...inFrame, payload: { ...visit, employeeId } })
      const [answer] = await Promise.all([page.waitForResponse(`${serviceUrl}/partner/payload`), press(page)])
      await expectBlocked(page)
      expect(answer.headers()).toMatchObject({
        'x-frame-options': 'DENY',
        'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      })
    }
  })
})
