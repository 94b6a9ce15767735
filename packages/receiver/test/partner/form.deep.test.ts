import { payloadFormPolicy, renderPayloadForm } from '@service-link/jwt-payload'
import { hasBrowser, launchBrowser } from '@service-link/test-kit/browser'
import { listen, serve, type TestServer } from '@service-link/test-kit/serve'
import express from 'express'
import helmet from 'helmet'
import type { Browser, BrowserContext, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import type { PageOutcome } from '../../src/index.ts'
import { ada, createTestReceiver, type TestReceiver } from '../support/receiver.ts'

/** The service at localhost and the partner at 127.0.0.1 are two sites, so the post is cross-site. */
interface Setting extends AsyncDisposable {
  readonly service: string
  readonly partner: string
  readonly receiver: TestReceiver
  /** Method and path of each request to the service, and the cookies of its posts. */
  readonly requests: string[]
}

describe.skipIf(!hasBrowser())('[4.1-form] in a real browser', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
  })

  test('[4.1-page] the form posts itself, and its answer is the signed-in web app at a separate address', async () => {
    await using setting = await createSetting()
    await setting.receiver.logIn(ada.id)
    await using context = await newContext(browser)
    const page = await openFromPartner(context, setting)
    expect(await bootOf(page)).toMatchObject({
      kind: 'signed-in',
      account: ada,
      contact: { kind: 'selected' },
    })
    expect(page.url()).toBe(`${setting.service}/`)
    expect(setting.requests).toContain('POST /partner/payload without cookies')

    const [cookie] = await context.cookies(setting.service)
    expect(cookie).toMatchObject({
      name: '__Host-service-session',
      secure: true,
      httpOnly: true,
      sameSite: 'Lax',
    })
    await page.reload()
    expect(await page.textContent('body')).toBe(`app for ${ada.displayName}`)
    expect(setting.requests.filter(request => request.startsWith('POST'))).toHaveLength(1)
  })

  test('without scripts a button posts the form', async () => {
    await using setting = await createSetting()
    await using context = await newContext(browser, { javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${setting.partner}/open`)
    await page.getByRole('button', { name: 'Open <the> "service"' }).click()
    const isPosted = () => expect(setting.requests).toContain('POST /partner/payload without cookies')
    await vi.waitFor(isPosted, { timeout: 55_000 })
  })

  test('a script of another origin reads why it is refused; a registered one gets the URL; a form works', async () => {
    await using setting = await createSetting()
    const { service, partner, receiver } = setting
    await receiver.logIn(ada.id)
    await using context = await newContext(browser)
    const page = await context.newPage()
    /** Posts by `fetch` of a page, and reads the answer. */
    const postFrom = async (origin: string, payload: string, init: object = {}) => {
      await page.goto(`${origin}/scripts`)
      return page.evaluate(
        async ([url, body, others]) => {
          try {
            const answer = await fetch(url, {
              method: 'POST',
              body: new URLSearchParams({ payload: body }),
              ...others,
            })
            return [answer.status, await answer.json()]
          } catch {
            return ['unreadable']
          }
        },
        [`${service}/partner/payload`, payload, init] as const,
      )
    }
    const sign = () => receiver.sign({}, { audience: `${service}/partner/payload` })
    const other = partner.replace('127.0.0.1', '127.0.0.2')
    const token = await sign()
    const refused = [403, expect.objectContaining({ code: 'ERR_CROSS_ORIGIN' })]
    expect(await postFrom(other, token)).toEqual(refused)
    // With these headers the browser sends a preflight first.
    expect(await postFrom(other, token, { headers: { 'x-requested-with': 'fetch' } })).toEqual(refused)
    const asJson = { headers: { 'content-type': 'application/json' } }
    expect((await postFrom(other, token, asJson))[1]).toMatchObject({ code: 'ERR_MEDIA_TYPE' })
    for (const init of [{ mode: 'no-cors' }, { credentials: 'include' }])
      expect(await postFrom(other, token, init)).toEqual(['unreadable'])
    const [status, answer] = await postFrom(partner, token)
    expect([status, answer]).toEqual([200, { url: expect.stringContaining('/open/') }])
    expect(await postFrom(partner, token)).toEqual([
      401,
      expect.objectContaining({ code: 'ERR_PAYLOAD_REPLAYED' }),
    ])
    expect(receiver.outcomes).toEqual([])
    const address = z.object({ url: z.string() }).parse(answer).url
    await page.goto(address)
    expect(await bootOf(page)).toMatchObject({ kind: 'signed-in', account: ada })
    expect(await bootOf(await openFromPartner(context, setting))).toMatchObject({
      kind: 'signed-in',
      account: ada,
    })
  })

  test('behind helmet a page with the form’s policy posts itself', async () => {
    await using setting = await createSetting()
    await setting.receiver.logIn(ada.id)
    await using context = await newContext(browser)
    const [action, nonce] = [`${setting.service}/partner/payload`, 'bm9uY2U=']
    await using server = await listen(
      express()
        .use(helmet())
        .get('/open', async (_request, response) => {
          const payload = await setting.receiver.sign({}, { audience: action })
          const form = renderPayloadForm({ action, payload, nonce, target: '_self' })
          response.set('content-security-policy', payloadFormPolicy({ action, nonce }))
          response.send(`<!doctype html><html lang="en"><title>One moment</title><body>${form}</body></html>`)
        }),
    )
    const page = await context.newPage()
    await page.goto(`${server.origin}/open`)
    await page.waitForURL(`${setting.service}/`)
    expect(await bootOf(page)).toMatchObject({ kind: 'signed-in', account: ada })
  })

  test('values chosen by attackers stay values, and a script without the nonce does not run', async () => {
    const hostile = `"'><script>globalThis.owned = true</script><img src=x onerror="owned = true">&quot;&amp;`
    // Addresses hold no blanks; a slash separates attributes too.
    const action = `https://sso.example/partner/payload?x=${hostile.replaceAll(' ', '/')}`
    const form = renderPayloadForm({
      action,
      payload: 'aa.bb.cc',
      target: hostile,
      nonce: hostile,
      submitLabel: hostile,
    })
    await using server = await serve(() =>
      html(form, { 'content-security-policy': "script-src 'nonce-n0nce'; form-action 'none'" }),
    )
    await using context = await newContext(browser)
    const page = await context.newPage()
    await page.goto(server.origin)
    const seen = await page.evaluate(() => {
      const { document } = Object(globalThis)
      const read = (selector: string, name: string) => document.querySelector(selector).getAttribute(name)
      return {
        owned: 'owned' in globalThis,
        elements: [...document.body.querySelectorAll('*')].map(element => element.localName),
        action: read('form', 'action'),
        target: read('form', 'target'),
        payload: read('input', 'value'),
        button: document.querySelector('button').textContent,
      }
    })
    expect(seen).toEqual({
      owned: false,
      elements: ['form', 'input', 'button', 'script'],
      action,
      target: hostile,
      payload: 'aa.bb.cc',
      button: hostile,
    })
    expect(page.url()).toBe(`${server.origin}/`)
  })
})

async function createSetting(): Promise<Setting> {
  const requests: string[] = []
  let receiver: TestReceiver
  const service: TestServer = await serve(async request => {
    const { pathname } = new URL(request.url)
    const cookies = request.headers.has('cookie') ? 'with cookies' : 'without cookies'
    if (pathname !== '/favicon.ico') requests.push(`${request.method} ${pathname} ${cookies}`)
    if (pathname === '/partner/payload') return receiver.receive(request)
    if (pathname.startsWith('/partner/payload/open/')) return receiver.open(request)
    return html(`app for ${(await receiver.sessions.current(request))?.displayName}`)
  })
  const origin = `http://localhost:${service.port}`
  const partner: TestServer = await serve(async request => {
    if (new URL(request.url).pathname === '/scripts') return html('')
    const action = `${origin}/partner/payload`
    const payload = await receiver.sign({}, { audience: action })
    const form = renderPayloadForm({ action, payload, nonce: 'n0nce', submitLabel: 'Open <the> "service"' })
    return html(form, {
      'content-security-policy': `default-src 'none'; script-src 'nonce-n0nce'; form-action ${origin}`,
    })
  })
  receiver = await createTestReceiver({
    url: [`${origin}/partner/payload`, 'https://sso.example/partner/payload'],
    strictPartner: { scriptOrigins: [partner.origin] },
  })
  const setting: Setting = {
    service: origin,
    partner: partner.origin,
    receiver,
    requests,
    [Symbol.asyncDispose]: async () => {
      await partner[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
  return setting
}

/** A context with a long time-out, for busy machines. */
async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(55_000)
  return context
}

/** Opens the partner's page and waits for the window of its form. */
async function openFromPartner(context: BrowserContext, setting: Setting) {
  const page = await context.newPage()
  const opened = context.waitForEvent('page')
  await page.goto(`${setting.partner}/open`)
  const result = await opened
  await result.waitForURL(`${setting.service}/`)
  return result
}

function bootOf(page: Awaited<ReturnType<typeof openFromPartner>>): Promise<PageOutcome> {
  return page.evaluate(() => Reflect.get(globalThis, 'serviceLinkBoot'))
}

function html(body: string, headers: Record<string, string> = {}): Response {
  return new Response(
    `<!doctype html><html lang="en"><head><title>Test</title></head><body>${body}</body></html>`,
    {
      headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
    },
  )
}
