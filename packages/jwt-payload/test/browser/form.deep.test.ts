import { hasBrowser, launchBrowser } from '@service-link/test-kit/browser'
import { serve } from '@service-link/test-kit/serve'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { renderPayloadForm } from '../../src/index.ts'

const payload = 'aaaa.bbbb.cccc'

describe.skipIf(!hasBrowser())('[4.1-form] renderPayloadForm in the user’s browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser({ isStrict: true })
  })
  afterAll(() => browser.close())

  test('a policy that blocks the form is told in the page', async () => {
    await using setting = await createSetting(browser, '_self', "form-action 'self'")
    const { page, service, posts } = setting
    // Playwright itself waits for the end of a blocked navigation.
    const devTools = await page.context().newCDPSession(page)
    const read = async (expression: string): Promise<unknown> =>
      (await devTools.send('Runtime.evaluate', { expression })).result.value
    const sentence = `The page's Content-Security-Policy blocked the form or its redirect. It needs form-action 'self' ${service}`
    await expect.poll(() => read('document.body.innerText.trim()'), { timeout: 60_000 }).toBe(sentence)
    expect(await read('document.body.innerHTML')).not.toContain(payload)
    expect(posts).toEqual([])
  })

  test('a tab that the browser blocks leaves the button, which opens it once', async () => {
    await using setting = await createSetting(browser, '_blank')
    const { page, posts } = setting
    const opened = page.waitForEvent('popup')
    await page.getByRole('button').click()
    await (await opened).waitForURL('**/partner/payload')
    expect(posts).toEqual([`payload=${payload}`])
  })
})

/** A partner's page at 127.0.0.1 that nobody clicked for, and a service at localhost. */
async function createSetting(browser: Browser, target: string, policy?: string) {
  const posts: string[] = []
  const server = await serve(async request => {
    if (request.method === 'POST') posts.push(await request.text())
    return new Response(request.method === 'POST' ? 'the service' : null)
  })
  const service = `http://localhost:${server.port}`
  const form = renderPayloadForm({ action: `${service}/partner/payload`, payload, target })
  const headers = { 'content-type': 'text/html', ...(policy && { 'content-security-policy': policy }) }
  const partner = await serve(() => new Response(`<!doctype html><body>${form}</body>`, { headers }))
  const page = await browser.newPage()
  await page.goto(partner.origin, { waitUntil: 'commit' })
  return {
    page,
    service,
    posts,
    [Symbol.asyncDispose]: async () => {
      await page.context().close()
      await partner[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}
