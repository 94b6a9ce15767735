import type { PayloadClaims } from '@service-link/protocol-core'
import type { FrameLocator, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { ApiClient } from '../../src/testing/visitor.ts'
import { accounts } from './accounts.ts'
import { confirmLink, sign, visit } from './post.ts'
import { journalUrl, type Sites, serviceUrl, type Visitor } from './site.ts'

/** Path of the pages that tests show. */
const path = '/test'

/** A page with a button that posts a payload, like a partner's page. */
export interface PostPage {
  /** Default {@link visit}. */
  readonly payload?: PayloadClaims
  /** `target` of the form. Default `_blank`. */
  readonly target?: string
  /** Further HTML, such as the form's target frame. Default none. */
  readonly html?: string
  /** Site of the page. Default the journal. */
  readonly site?: string
}

/** Goes to a page that posts a freshly signed payload when {@link press} is called. */
export async function goToPostPage(sites: Sites, page: Page, options: PostPage = {}): Promise<void> {
  const { target = '_blank', html = '', site = journalUrl } = options
  const payload = await sign(sites, options.payload)
  sites.show(
    new URL(site).host,
    path,
    documentOf(`${html}<form method="post" action="${serviceUrl}/partner/payload" target="${target}">
      <input type="hidden" name="payload" value="${payload}"></form>
      <button onclick="document.forms[0].submit()">Open</button>`),
  )
  await page.goto(`${site}${path}`)
}

/** Presses the button of the page. */
export async function press(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Open' }).click()
}

/** Posts from a page into the tab of that page. */
export async function postHere(sites: Sites, page: Page, options: PostPage = {}): Promise<void> {
  await goToPostPage(sites, page, { ...options, target: '_self' })
  await press(page)
}

/** Presses the button and waits for the new tab or window. */
export async function pressForWindow(page: Page): Promise<Page> {
  const [opened] = await Promise.all([page.context().waitForEvent('page'), press(page)])
  return opened
}

/** First page of a visitor's browser. */
export function firstPage({ context }: Visitor): Page {
  const [page] = context.pages()
  if (!page) throw new TypeError('The browser has no page.')
  return page
}

/** Waits until a contact is in focus. */
export async function expectInFocus(page: Page, contactId: string): Promise<void> {
  await page.locator(`[data-testid="person-in-focus"][data-custom-id="${contactId}"]`).waitFor()
  expect(await page.getByTestId('login-form').count()).toBe(0)
}

/** {@link visit} with another contact in focus. */
export function visitOf(id: string, firstname = 'Ola'): PayloadClaims {
  return { ...visit, contact: { id, firstname, lastname: 'Li' } }
}

/** The employee of {@link visitOf}'s payloads, who signs in as Samuel. */
export const otherVisit: PayloadClaims = {
  ...visit,
  employeeId: 'emp-2',
  employeeFirstname: 'Samuel',
  employeeLastname: 'Okafor',
  contact: { id: 'c-of-samuel', firstname: 'Torbjørn', lastname: 'Sæther' },
}

/** Completes the first visit of both employees. */
export async function linkEmployees(sites: Sites): Promise<void> {
  const address = `http://127.0.0.1:${sites.service.port}`
  for (const [payload, account] of [
    [visit, accounts.ingrid],
    [otherVisit, accounts.samuel],
  ] as const) {
    const client = new ApiClient(sites.service, address)
    expect(await client.logIn(account)).toBe(200)
    expect((await confirmLink(client, sites, payload, address)).status).toBe(200)
  }
}

function documentOf(body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Partner</title></head><body>${body}</body></html>`
}

/** A page that shows the service in a frame with the fewest sandbox permissions that it needs. */
const inFrame = {
  target: 'service',
  html: `<iframe name="service" title="Service" width="1200" height="700"
    sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"></iframe>`,
} as const satisfies PostPage

/** Goes to a page with a frame and posts into it. */
export async function openInFrame(sites: Sites, page: Page, options: PostPage = {}): Promise<FrameLocator> {
  await goToPostPage(sites, page, { ...inFrame, ...options })
  await press(page)
  return page.frameLocator('iframe')
}

/** The person in focus in a frame, if it is that contact. */
export function focusIn(frame: FrameLocator, contactId: string): Locator {
  return frame.locator(`[data-testid="person-in-focus"][data-custom-id="${contactId}"]`)
}

/** Clicks in a frame until it works: a browser silently drops clicks into a new cross-site frame. */
export async function clickInFrame(target: Locator): Promise<void> {
  const click = await target.evaluateHandle(element => {
    const click = { isHeard: false }
    element.addEventListener('click', () => Object.assign(click, { isHeard: true }), { once: true })
    return click
  })
  const press = async () => {
    await target.click()
    return click.evaluate(({ isHeard }) => isHeard)
  }
  await expect.poll(press, { timeout: 55_000 }).toBe(true)
}
