import { renderPayloadForm, signPayload } from '@service-link/jwt-payload'
import { hasBrowser, launchBrowser } from '@service-link/test-kit/browser'
import { serve } from '@service-link/test-kit/serve'
import { expect, test } from 'vitest'
import { startTestService } from '../../src/test-service/index.ts'

/** The service at localhost and the partner at 127.0.0.1 are two sites. */
test.skipIf(!hasBrowser())(
  '[4.1-form] a real browser posts the partner’s form, and the page opens',
  async () => {
    await using service = await startTestService()
    const { audience: action, issuer, signing } = service
    const claims = {
      organizationId: 'org-1',
      employeeId: 'emp-7',
      contact: { id: '4711', firstname: 'Kari' },
    }
    await using partner = await serve(async () => {
      const payload = await signPayload(claims, signing, { audience: action, issuer })
      const form = renderPayloadForm({ action, payload, target: '_self' })
      return new Response(`<!doctype html><title>Partner</title><body>${form}`, {
        headers: { 'content-type': 'text/html' },
      })
    })
    await using browser = await launchBrowser()
    const page = await browser.newPage()
    await page.goto(`http://localhost:${partner.port}/`, { waitUntil: 'commit' })
    expect(await service.nextDelivery({ timeoutMs: 55_000 })).toMatchObject({
      answer: 'signed-in',
      payload: claims,
    })
    // The page replaces its own address: a reload is no second post.
    await page.waitForURL(new URL('/', action).href, { timeout: 55_000 })
    expect(await page.textContent('body')).toContain('Signed in.')
  },
)
