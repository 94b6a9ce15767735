import { hasBrowser, launchBrowser } from '@service-link/test-kit/browser'
import { bundle } from '@service-link/test-kit/bundle-module'
import { serve, type TestServer } from '@service-link/test-kit/serve'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import browserEntry from '../../tsup.browser.ts'

const script = await bundle(new URL('../../src/browser/index.ts', import.meta.url), browserEntry)
const token = 'aaaa.bbbb.cccc'

test('the entry for pages is one small file without imports: no Node, no jose, no zod', () => {
  expect(script).not.toMatch(/\bimport\b|\brequire\b|node:|\bprocess\b|\bBuffer\b/)
  expect(script).not.toMatch(/zod|jose/i)
  expect(Buffer.byteLength(script)).toBeLessThan(14_500)
})

describe.skipIf(!hasBrowser())('[4.1-form] submitPayload in a real browser', () => {
  let browser: Browser
  /** Blocks tabs that no click opened. */
  let strictBrowser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
    strictBrowser = await launchBrowser({ isStrict: true })
  })
  afterAll(async () => {
    await browser.close()
    await strictBrowser.close()
  })

  test('posts a token into a new tab and leaves nothing of it in the page', async () => {
    await using setting = await createSetting(strictBrowser)
    const { page, service, posts } = setting
    const opened = setting.context.waitForEvent('page')
    await setting.click({ token })
    const tab = await opened
    await tab.waitForURL(`${service}/partner/payload`)
    expect(await setting.outcome()).toBe('submitted')
    expect(posts).toEqual([
      { type: 'application/x-www-form-urlencoded', body: `payload=${token}`, cookie: null },
    ])
    expect(await tab.textContent('body')).toBe('the service')
    expect(await page.content()).not.toContain(token)
    expect(await setting.run('document.forms.length')).toBe(0)
    expect(page.url()).toBe(`${setting.partner}/`)
    expect(await tab.evaluate('window.opener')).toBeNull()
  })

  test('a late token goes into the tab that the click opened', async () => {
    await using setting = await createSetting(strictBrowser)
    const opened = setting.context.waitForEvent('page')
    await setting.click({ waitingText: 'Opening <the> service' })
    const tab = await opened
    expect(await tab.textContent('body')).toBe('Opening <the> service')
    // The click allows a new window for a few seconds; afterwards the browser blocks it.
    await expect
      .poll(() => setting.run('navigator.userActivation.isActive'), { timeout: 120_000 })
      .toBe(false)
    expect(setting.posts).toEqual([])
    await setting.run(`resolveToken('${token}')`)
    await tab.waitForURL(`${setting.service}/partner/payload`)
    expect(await setting.outcome()).toBe('submitted')
    expect(setting.posts).toMatchObject([{ body: `payload=${token}` }])
    expect(setting.context.pages()).toHaveLength(2)
    expect(await tab.evaluate('history.length')).toBe(1)
  })

  test.each([
    ['its promise rejects', 'rejectToken', 'ERR_SUBMIT_TOKEN'],
    ['its promise gives something else', 'resolveWrongly', 'ERR_SUBMIT_TOKEN'],
    ['it is given up', 'abort', 'given up'],
    ['it is not there in time', '', 'ERR_SUBMIT_TIMEOUT'],
  ])('the tab closes and nothing is posted when %s', async (_name, act, outcome) => {
    await using setting = await createSetting(browser)
    await setting.click(act === '' ? { timeoutMs: 1 } : {})
    if (act) await setting.run(`${act}()`)
    expect(await setting.outcome()).toBe(outcome)
    await expect.poll(() => setting.run('tab.closed'), { timeout: 120_000 }).toBe(true)
    expect(setting.posts).toEqual([])
    expect(await setting.run('unhandled')).toEqual([])
  })

  test('closing the tab meanwhile is reported, and no other tab opens', async () => {
    await using setting = await createSetting(browser)
    const opened = setting.context.waitForEvent('page')
    await setting.click({})
    await (await opened).close()
    await expect.poll(() => setting.run('tab.closed'), { timeout: 120_000 }).toBe(true)
    await setting.run(`resolveToken('${token}')`)
    expect(await setting.outcome()).toBe('ERR_SUBMIT_CLOSED')
    expect(setting.context.pages()).toHaveLength(1)
    expect(setting.posts).toEqual([])
  })

  test('the empty tab closes with the page that opened it', async () => {
    await using setting = await createSetting(browser)
    const opened = setting.context.waitForEvent('page')
    await setting.click({})
    const tab = await opened
    const closed = tab.waitForEvent('close')
    await setting.page.goto('about:blank')
    await closed
  })

  test('without a click the browser opens no tab, and an error says so', async () => {
    await using setting = await createSetting(strictBrowser)
    await setting.run('start({})')
    expect(await setting.outcome()).toBe('ERR_SUBMIT_BLOCKED')
    await setting.run('globalThis.rejectToken?.()')
    expect(await setting.run('unhandled')).toEqual([])
  })

  test('posts into the same named window each time; a missing token leaves its content', async () => {
    await using setting = await createSetting(browser)
    const opened = setting.context.waitForEvent('page')
    await setting.click({ target: 'service' })
    const window = await opened
    await setting.run(`resolveToken('${token}')`)
    expect(await setting.outcome()).toBe('submitted')
    await window.waitForURL(`${setting.service}/partner/payload`)
    await setting.click({ target: 'service' })
    await setting.run(`resolveToken('${token}')`)
    expect(await setting.outcome()).toBe('submitted')
    await expect.poll(() => setting.posts.length, { timeout: 120_000 }).toBe(2)
    await setting.click({ target: 'service' })
    await setting.run('rejectToken()')
    expect(await setting.outcome()).toBe('ERR_SUBMIT_TOKEN')
    await window.waitForURL(`${setting.service}/partner/payload`)
    expect(setting.context.pages()).toHaveLength(2)
    expect(setting.posts).toHaveLength(2)
    await setting.click({ target: 'service' })
    await window.close()
    await expect.poll(() => setting.run('tab.closed'), { timeout: 120_000 }).toBe(true)
    await setting.run(`resolveToken('${token}')`)
    expect(await setting.outcome()).toBe('ERR_SUBMIT_CLOSED')
    expect(setting.posts).toHaveLength(2)
  })

  test.each<[string, string, { header?: string; meta?: string; target?: string; path?: string }]>([
    ['a header', 'form-action', { header: "form-action 'self'" }],
    ['a meta element, into the page itself', 'form-action', { meta: "form-action 'none'", target: '_self' }],
    ['a header, into a named window', 'form-action', { header: "form-action 'self'", target: 'service' }],
    ['a header, into a frame', 'form-action', { header: "form-action 'self'", target: 'here' }],
    ['frame-src, into a frame', 'frame-src', { header: "frame-src 'self'; form-action *", target: 'here' }],
    ['default-src, into a frame', 'frame-src', { header: `${scripts}; form-action *`, target: 'here' }],
    ['a header that forbids the redirect', 'form-action', { path: '/redirect' }],
    ['a sandbox without forms', 'allow-forms', { header: `${sandbox} allow-same-origin` }],
    ['a sandbox, into the page itself', 'allow-forms', { header: sandbox, target: '_self' }],
    ['a sandbox that tabs inherit', 'allow-popups-to-escape-sandbox', { header: `${sandbox} allow-forms` }],
  ])('%s that blocks the post is told, and the tab closes', async (_name, word, given) => {
    const { header, meta, path, ...options } = given
    await using setting = await createSetting(strictBrowser, { header, meta })
    const url = `${setting.service}${path ?? '/partner/payload'}`
    await setting.click({ token, url, ...options })
    expect(await setting.outcome()).toBe('ERR_SUBMIT_POLICY')
    const directive = /^(form|frame)-/.test(word) ? `${word} 'self' ${setting.service}` : word
    expect(await setting.run('message')).toMatch(
      new RegExp(` blocked the form or its redirect\\. It needs ${directive}$`),
    )
    if (options.target !== '_self' && options.target !== 'here')
      await expect.poll(() => setting.run('tab.closed'), { timeout: 120_000 }).toBe(true)
    expect(setting.posts).toEqual([])
    expect(await setting.run('document.forms.length')).toBe(0)
  })

  test('the id of a frame is told', async () => {
    await using setting = await createSetting(browser, { header: "frame-src 'self'; form-action *" })
    await setting.click({ token, target: 'here-id' })
    expect(await setting.outcome()).toBe('ERR_POST_OPTION')
    expect(setting.posts).toEqual([])
  })

  test('a policy that only reports blocks nothing', async () => {
    await using setting = await createSetting(strictBrowser, { reportOnly: "form-action 'self'" })
    await setting.click({ token })
    expect(await setting.outcome()).toBe('submitted')
    expect(setting.posts).toHaveLength(1)
  })

  test('a sandbox without allow-popups rejects with the error of a blocked tab', async () => {
    await using setting = await createSetting(strictBrowser, { header: 'sandbox allow-scripts allow-forms' })
    await setting.click({ token })
    expect(await setting.outcome()).toBe('ERR_SUBMIT_BLOCKED')
  })

  test.each([
    ['_top', ''],
    ['_parent', ''],
    ['_top', 'allow-top-navigation-by-user-activation'],
  ])('%s is told to a page in a frame with the sandbox flag %j, without a click', async (target, flag) => {
    await using setting = await createSetting(strictBrowser)
    await setting.page.goto(`${setting.partner}/framed?${flag}`)
    await setting.run(`frames[0].start(${JSON.stringify({ target, token })})`)
    expect(await setting.run('frames[0].outcome')).toBe('ERR_SUBMIT_POLICY')
    expect(await setting.run('frames[0].message')).toMatch(/sandbox .* needs allow-top-navigation$/)
    expect(setting.posts).toEqual([])
    expect(setting.context.pages()).toHaveLength(1)
  })

  test.each([
    ['_TOP', 'allow-top-navigation'],
    ['_parent', 'allow-top-navigation-by-user-activation'],
  ])('posts to %s from a frame with the sandbox flag %j, by a click', async (target, flag) => {
    await using setting = await createSetting(strictBrowser)
    await setting.page.goto(`${setting.partner}/framed?${flag}`)
    await setting.run(`frames[0].options = ${JSON.stringify({ target, token })}`)
    await setting.page.frames()[1]?.click('button', { noWaitAfter: true })
    await setting.page.waitForURL(`${setting.service}/partner/payload`)
    expect(setting.posts).toHaveLength(1)
  })

  test('posts into the page itself or a frame of it', async () => {
    await using setting = await createSetting(browser)
    await setting.click({ token, target: 'here' })
    expect(await setting.outcome()).toBe('submitted')
    await expect.poll(() => setting.posts.length, { timeout: 60_000 }).toBe(1)
    const [, frame] = setting.page.frames()
    await frame?.waitForURL(`${setting.service}/partner/payload`)
    await setting.click({ token, target: '_self' })
    await setting.page.waitForURL(`${setting.service}/partner/payload`)
    expect(setting.posts).toHaveLength(2)
    expect(setting.context.pages()).toHaveLength(1)
  })
})

interface Setting extends AsyncDisposable {
  readonly partner: string
  readonly service: string
  readonly context: BrowserContext
  readonly page: Page
  /** The requests that the service received. */
  readonly posts: { type: string | null; body: string; cookie: string | null }[]
  /** Evaluates in the partner's page without counting as a user action. */
  readonly run: (expression: string) => Promise<unknown>
  /** Clicks the partner's submit button. Without a token in the options, the token's promise stays open. */
  readonly click: (options: Record<string, unknown>) => Promise<void>
  /** `submitted`, or the error's code once the call has failed. */
  readonly outcome: () => Promise<unknown>
}

const scripts = "default-src 'self'; script-src 'self' 'nonce-n0nce'"

/** Stops forms, and keeps tabs in it. */
const sandbox = 'sandbox allow-scripts allow-popups'

interface Policies {
  /** Replaces the policy that allows the post. */
  readonly header?: string | undefined
  readonly meta?: string | undefined
  readonly reportOnly?: string | undefined
}

const policyOf = (service: string) =>
  `default-src 'none'; script-src 'self' 'nonce-n0nce'; frame-src ${service}; form-action ${service}`

/** A partner's page at 127.0.0.1 with a strict policy, and a service at localhost: two sites. */
async function createSetting(browser: Browser, policies: Policies = {}): Promise<Setting> {
  const posts: Setting['posts'] = []
  const service: TestServer = await serve(async request => {
    if (request.method !== 'POST') return new Response(null, { status: 404 })
    if (request.url.endsWith('/redirect'))
      return new Response(null, { status: 307, headers: { location: `http://127.0.0.2:${service.port}/` } })
    const [type, cookie] = ['content-type', 'cookie'].map(name => request.headers.get(name))
    posts.push({ type: type ?? null, body: await request.text(), cookie: cookie ?? null })
    return new Response('<!doctype html><title>Service</title>the service', {
      headers: { 'content-type': 'text/html', 'cross-origin-opener-policy': 'unsafe-none' },
    })
  })
  const origin = `http://localhost:${service.port}`
  const partner: TestServer = await serve(request => {
    const { pathname, search } = new URL(request.url)
    if (pathname === '/submit-payload.js')
      return new Response(script, {
        // A sandboxed page is of another origin.
        headers: { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' },
      })
    if (pathname === '/framed')
      return new Response(
        `<iframe src="/" sandbox="allow-scripts allow-same-origin allow-forms ${search.slice(1)}"></iframe>`,
        { headers: { 'content-type': 'text/html' } },
      )
    return new Response(partnerPage(origin, policies.meta), {
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policies.header ?? policyOf(origin),
        ...(policies.reportOnly && { 'content-security-policy-report-only': policies.reportOnly }),
      },
    })
  })
  const context = await browser.newContext()
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await page.goto(`${partner.origin}/`)
  const devTools = await context.newCDPSession(page)
  const run = async (expression: string): Promise<unknown> => {
    const { result } = await devTools.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
      userGesture: false,
    })
    return result.value
  }
  return {
    partner: partner.origin,
    service: origin,
    context,
    page,
    posts,
    click: async options => {
      await run(`globalThis.options = ${JSON.stringify(options)}`)
      // The browser draws no end of a navigation that a policy blocks.
      await page.click('button', { noWaitAfter: true })
    },
    run,
    outcome: () => run('outcome'),
    [Symbol.asyncDispose]: async () => {
      await context.close()
      await partner[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}

function partnerPage(service: string, policy: string | undefined): string {
  const meta = policy && `<meta http-equiv="content-security-policy" content="${policy}">`
  return `<!doctype html><html lang="en"><head><title>Partner</title>${meta ?? ''}</head><body><button>Open</button><iframe name="here" id="here-id"></iframe>
<script type="module" nonce="n0nce">
import { submitPayload } from '../submit-payload.js'
globalThis.unhandled = []
const { open } = window
window.open = (...args) => (globalThis.tab = open.apply(window, args))
addEventListener('unhandledrejection', event => unhandled.push(String(event.reason)))
globalThis.start = ({ url = '${service}/partner/payload', token, ...options }) => {
  const stop = new AbortController()
  globalThis.abort = () => stop.abort(new RangeError('given up'))
  const pending = token ?? new Promise((resolve, reject) => {
    globalThis.resolveToken = resolve
    globalThis.resolveWrongly = () => resolve({ secret: 'aa' })
    globalThis.rejectToken = () => reject(new Error('the server has no key'))
  })
  globalThis.outcome = submitPayload(url, pending, { signal: stop.signal, ...options }).then(
    () => 'submitted',
    error => {
      globalThis.message = error.message
      return error.code ?? error.message
    },
  )
}
document.querySelector('button').addEventListener('click', () => start(globalThis.options))
</script></body></html>`
}
