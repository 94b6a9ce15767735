import { hasBrowser } from '@service-link/test-kit/browser'
import type { Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accounts } from '../support/accounts.ts'
import { linkOn } from '../support/browser.ts'
import {
  expectInFocus,
  firstPage,
  goToPostPage,
  postHere,
  press,
  pressForWindow,
  visitOf,
} from '../support/partner-page.ts'
import { visit } from '../support/post.ts'
import { keptCookies, openSites, type Sites, serviceUrl } from '../support/site.ts'

describe.skipIf(!hasBrowser())('a post from another site', () => {
  let sites: Sites

  beforeAll(async () => {
    sites = await openSites()
  })
  afterAll(async () => {
    await sites[Symbol.asyncDispose]()
  })

  let readPosts = 0

  /** Posts to the service since the last call. */
  function newPosts() {
    const posts = sites.seen.filter(({ method, path }) => method === 'POST' && path === '/partner/payload')
    const fresh = posts.slice(readPosts)
    readPosts = posts.length
    return fresh
  }

  test('[1-first-visit] asks for a log-in with the employee’s name, then the contact is in focus', async () => {
    await using visitor = await sites.browse()
    const journal = firstPage(visitor)
    await goToPostPage(sites, journal)
    const tab = await pressForWindow(journal)
    const note = tab.getByTestId('pending-visit')
    await note.waitFor()
    expect(await note.textContent()).toMatch(/Nordlys Journal.*Ingrid Solberg.*Fjordklinikken/s)
    expect(await keptCookies(tab)).toEqual([])
    await linkOn(tab, accounts.ingrid)
    await expectInFocus(tab, visit.contact.id)
    await tab.locator('[data-testid="person-detail"] h2:focus').waitFor()
    await tab.locator('[data-subject="visit"]').getByText('is connected to your account').waitFor()
    expect(newPosts()).toMatchObject([{ site: 'cross-site', cookie: undefined, destination: 'document' }])
    expect(visitor.complaints).toEqual([])
  })

  test('[4.1-page] a later visit asks for nothing, and uses the session that it sets', async () => {
    await using visitor = await sites.browse()
    const journal = firstPage(visitor)
    await goToPostPage(sites, journal)
    const tab = await pressForWindow(journal)
    await expectInFocus(tab, visit.contact.id)
    expect(await tab.evaluate('window.opener')).toBeNull()
    expect(tab.url()).toMatch(new RegExp(`^${serviceUrl}/persons/\\d+$`))
    const [session, ...others] = await keptCookies(tab)
    expect(others).toEqual([])
    expect(session).toMatchObject({
      name: expect.stringMatching(/^__Host-service/),
      domain: 'service.example',
      path: '/',
      httpOnly: true,
      secure: true,
      sameSite: 'Lax',
    })
    expect(session?.partitionKey).toBeUndefined()
    const used = sites.seen.filter(({ path }) => path.startsWith('/api/session')).at(-1)
    expect(used?.cookie).toBe(`${session?.name}=${session?.value}`)
    expect(newPosts()).toMatchObject([{ site: 'cross-site', cookie: undefined }])
  })

  test('the person is in focus after four requests and 117 kB, while all others wait', async () => {
    await using visitor = await sites.browse()
    const { context } = visitor
    const page = firstPage(visitor)
    await goToPostPage(sites, page, { payload: visitOf('c-8'), target: '_self' })
    const asked: Request[] = []
    // The browser keeps no answers while its requests are routed.
    await context.route(`${serviceUrl}/**`, route => {
      asked.push(route.request())
      if (asked.length <= 4) return route.continue()
    })
    await press(page)
    await expectInFocus(page, 'c-8')
    const needed = asked.slice(0, 4)
    expect(needed.map(request => request.url().replace(/-[\w-]+\.|\d+$/, '')).sort()).toEqual(
      ['/api/session?focus=', '/assets/indexcss', '/assets/indexjs', '/partner/payload'].map(
        path => serviceUrl + path,
      ),
    )
    const sizes = await Promise.all(needed.map(request => request.sizes()))
    const bytes = sizes.map(
      ({ responseHeadersSize, responseBodySize }) => responseHeadersSize + responseBodySize,
    )
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(117_000)
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    expect(newPosts()).toHaveLength(1)
  })

  test('a browser without cookies gets a message, and the page stays', async () => {
    await using visitor = await sites.browse({ blocksAllCookies: true })
    const page = firstPage(visitor)
    await postHere(sites, page, { payload: visitOf('c-7') })
    await page.getByTestId('log-in-sessionLost').waitFor()
    expect(await keptCookies(page)).toEqual([])
    expect(visitor.complaints).toEqual([])
  })
})
