import type { FrameLocator, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { goToPostPage, type PostPage, press } from './_partner-page.ts'
import type { Sites } from './_site.ts'

/** A page that shows the service in a frame of its own. */
export const inFrame = {
  target: 'service',
  html: '<iframe name="service" title="Service" width="1200" height="700"></iframe>',
} as const satisfies PostPage

/** The same, with as little as the page in the frame needs. */
export const inSandbox = {
  target: 'service',
  html: `<iframe name="service" title="Service" width="1200" height="700"
    sandbox="allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox"></iframe>`,
} as const satisfies PostPage

/** Goes to a page with a frame, and posts into it. */
export async function openInFrame(sites: Sites, page: Page, options: PostPage = {}): Promise<FrameLocator> {
  await goToPostPage(sites, page, { ...inFrame, ...options })
  await press(page)
  return page.frameLocator('iframe')
}

/** The person in focus in a frame, if it is that contact. */
export function focusIn(frame: FrameLocator, contactId: string): Locator {
  return frame.locator(`[data-testid="person-in-focus"][data-custom-id="${contactId}"]`)
}

/** Clicks in a frame: a browser drops the clicks into one of another site that has only just appeared, and tells nobody. */
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

/** Waits until the browser shows an error page of its own in the frame. */
export async function expectBlocked(page: Page): Promise<void> {
  await expect.poll(() => page.frames()[1]?.url(), { timeout: 55_000 }).toMatch(/^chrome-error:/)
}
