import AxeBuilder from '@axe-core/playwright'
import type { FrameLocator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, logInOn } from './_browser.ts'
import { keepLog } from './_log.ts'
import {
  expectInFocus,
  firstPage,
  goToPostPage,
  linkEmployees,
  otherVisit,
  type PostPage,
  press,
  pressForWindow,
  visitOf,
} from './_partner-page.ts'
import { visit } from './_post.ts'
import { accounts } from './_service.ts'
import { hostileUrl, journalUrl, keptCookies, openSites, type Sites, serviceUrl } from './_site.ts'

/** The partner's page shows the service in a frame of its own. */
const inFrame = {
  target: 'service',
  html: '<iframe name="service" title="Service" width="1200" height="700"></iframe>',
}
/** The same, with as little as the page in the frame needs. */
const inSandbox = {
  target: 'service',
  html: `<iframe name="service" title="Service" width="1200" height="700"
    sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"></iframe>`,
}
const frameCookie = '__Host-service-frame.session_token'

/** Waits until the browser shows an error page of its own in the frame. */
async function expectBlocked(page: Page): Promise<void> {
  await expect.poll(() => page.frames()[1]?.url(), { timeout: 55_000 }).toMatch(/^chrome-error:/)
}

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

  /** Goes to a page of the partner with a frame, and posts into it. */
  async function openInFrame(page: Page, options: PostPage = {}): Promise<FrameLocator> {
    await goToPostPage(sites, page, { ...inFrame, ...options })
    await press(page)
    return page.frameLocator('iframe')
  }

  const focusIn = (frame: FrameLocator, id: string) =>
    frame.locator(`[data-testid="person-in-focus"][data-custom-id="${id}"]`)

  test('a partner that is allowed to shows the contact in focus, with a session for its site alone', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await focusIn(await openInFrame(page, { payload: visitOf('f-1') }), 'f-1').waitFor()
    expect(await keptCookies(page)).toMatchObject([
      {
        name: frameCookie,
        path: '/',
        httpOnly: true,
        secure: true,
        sameSite: 'None',
        partition: journalUrl,
      },
    ])
    expect(visitor.complaints).toEqual([])
  })

  test('the app works in there: it is searched, a reload keeps the contact, and a later post switches it', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    const frame = await openInFrame(page, { payload: visitOf('f-2') })
    await focusIn(frame, 'f-2').waitFor()
    await frame.getByRole('link', { name: 'Exercises', exact: true }).click()
    await frame.getByTestId('exercise-results').waitFor()
    await frame.locator('body').evaluate(() => location.reload())
    await frame.getByTestId('exercise-results').waitFor()
    await focusIn(frame, 'f-2').waitFor()
    await focusIn(await openInFrame(page, { payload: visitOf('f-3') }), 'f-3').waitFor()
    expect(visitor.complaints).toEqual([])
  })

  test('the frame’s session is neither that of a tab nor that of a frame under another site', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await focusIn(await openInFrame(page, { payload: visitOf('f-4') }), 'f-4').waitFor()
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
    expect(sites.seen.slice(before).filter(({ host }) => host === 'service.example')).toMatchObject([
      { path: '/persons', destination: 'iframe', cookie: undefined },
    ])
  })

  test('another site that posts the same partner’s payload into its own frame is refused by the browser', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await openInFrame(page, { payload: visitOf('f-5'), site: hostileUrl })
    await expectBlocked(page)
  })

  test('a page of the service that has no session in this frame is not shown in it', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await page.goto(serviceUrl)
    await logInOn(page, accounts.ingrid)
    await page.getByTestId('signed-in-as').waitFor()
    sites.show(new URL(journalUrl).host, '/frame', `<iframe src="${serviceUrl}/persons"></iframe>`)
    await page.goto(`${journalUrl}/frame`)
    await expectBlocked(page)
  })

  test('the sign-out ends the frame’s session and no other', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await goToPostPage(sites, page, { payload: visitOf('f-6') })
    const tab = await pressForWindow(page)
    await expectInFocus(tab, 'f-6')
    const frame = await openInFrame(page, { payload: visitOf('f-7') })
    await focusIn(frame, 'f-7').waitFor()
    await frame.getByTestId('sign-out').click()
    await frame.getByTestId('framed-signed-out').waitFor()
    expect(await frame.getByTestId('framed-signed-out').textContent()).toContain('Nobody is signed in here.')
    expect((await keptCookies(page)).map(({ name }) => name)).toEqual(['__Host-service.session_token'])
    await tab.reload()
    await expectInFocus(tab, 'f-6')
  })

  test('another employee in the same frame takes the former one’s place, visibly', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await focusIn(await openInFrame(page, { payload: visitOf('f-8') }), 'f-8').waitFor()
    const frame = await openInFrame(page, { payload: otherVisit })
    const notice = frame.locator('[data-testid="notice"][data-subject="account"]')
    await notice.waitFor()
    expect(await notice.textContent()).toMatch(/Samuel Okafor is signed in now.*Ingrid Solberg/s)
  })

  test('what the partner’s own page sends in its user’s name is refused, though the cookie comes along', async () => {
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    await focusIn(await openInFrame(page, { payload: visitOf('f-9') }), 'f-9').waitFor()
    const answer = page.waitForResponse(`${serviceUrl}/api/persons/select`)
    await page.evaluate(url => {
      const form = Object.assign(document.createElement('form'), {
        method: 'post',
        enctype: 'text/plain',
        action: `${url}/api/persons/select`,
        target: 'service',
      })
      const name = '{"customId":"f-forged","firstname":"A","lastname":"'
      form.append(Object.assign(document.createElement('input'), { name, value: '"}' }))
      document.body.append(form)
      form.submit()
    }, serviceUrl)
    expect((await answer).status()).toBe(403)
    expect(sites.seen.filter(({ path }) => path === '/api/persons/select').at(-1)).toMatchObject({
      site: 'cross-site',
      cookie: expect.stringContaining(frameCookie),
    })
  })

  test('[1-first-visit] an unknown employee is asked for no password there, but logs in in a window of its own', async () => {
    const payload = {
      ...visit,
      employeeId: 'emp-new',
      contact: { id: 'f-10', firstname: 'Ola', lastname: 'Li' },
    }
    await using visitor = await sites.browse()
    const page = firstPage(visitor)
    const frame = await openInFrame(page, { payload, ...inSandbox })
    await frame.getByTestId('framed-log-in').waitFor()
    const { violations } = await new AxeBuilder({ page }).include('iframe').analyze()
    expect(violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html}`))).toEqual([])
    expect(await frame.locator('input[type="password"]').count()).toBe(0)
    const [opened] = await Promise.all([
      visitor.context.waitForEvent('page'),
      frame.getByRole('button', { name: /window of its own/ }).click(),
    ])
    await opened.getByTestId('pending-visit').waitFor()
    expect(await opened.getByTestId('pending-visit').textContent()).toMatch(
      /Nordlys Journal.*Ingrid Solberg/s,
    )
    expect(opened.url()).toBe(`${serviceUrl}/`)
    await logInOn(opened, accounts.ingrid)
    await expectInFocus(opened, 'f-10')
    await focusIn(await openInFrame(page, { payload, ...inSandbox }), 'f-10').waitFor()
  })

  test('no handle is in an address, in a referrer or in the log', async () => {
    const handle = /[\w-]{43}/
    expect(
      sites.seen.map(({ path, referer }) => `${path} ${referer}`).filter(text => handle.test(text)),
    ).toEqual([])
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.filter(line => /handle|"visit"/.test(line) || handle.test(line))).toEqual([])
  })

  test('the log-in of a visit is shown for the service’s own pages only', async () => {
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

  test('with cookies of third parties blocked the frame works as well: its cookie is partitioned', async () => {
    await using visitor = await sites.browse({ blocksThirdPartyCookies: true })
    const page = firstPage(visitor)
    await focusIn(await openInFrame(page, { payload: visitOf('f-11') }), 'f-11').waitFor()
  })

  test('a browser that keeps no cookie at all is told so in the frame', async () => {
    await using visitor = await sites.browse({ blocksAllCookies: true })
    const page = firstPage(visitor)
    const frame = await openInFrame(page, { payload: visitOf('f-12') })
    await frame.getByTestId('framed-signed-out').waitFor()
    expect(await frame.getByTestId('framed-signed-out').textContent()).toContain('did not keep the session')
  })
})

describe.skipIf(!hasBrowser())('a partner that is not allowed to show the service in a frame', () => {
  test('is refused by the browser, for a known employee and for an unknown one', async () => {
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
