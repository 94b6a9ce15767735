import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import AxeBuilder from '@axe-core/playwright'
import { hasBrowser, launchBrowser } from '@service-link/test-kit/browser'
import { keyText, signingKey } from '@service-link/test-kit/payload-vectors'
import { serve } from '@service-link/test-kit/serve'
import { audience, claims, runHere } from '@service-link/test-kit/service-payload'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
// @boundaries-ignore: builds the page around this package
import { buildExplainPage } from '../../../../scripts/explain-page.ts'
import { type SignPayloadOptions, signPayload } from '../../src/index.ts'

const types: Readonly<Record<string, string>> = { html: 'text/html', css: 'text/css', js: 'text/javascript' }
const spaces = /\s+/g

describe.skipIf(!hasBrowser())('the page that explains a refusal', () => {
  let browser: Browser
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-explain-'))
    await buildExplainPage(folder)
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** The page, with everything that it asked for. */
  async function openPage() {
    const server = await serve(async ({ url }) => {
      const name = new URL(url).pathname.slice(1) || 'index.html'
      const headers = { 'content-type': types[name.split('.').at(-1) ?? ''] ?? 'text/plain' }
      return new Response(await readFile(join(folder, name)), { headers })
    })
    const context = await browser.newContext({ viewport: { width: 360, height: 800 } })
    const page = await context.newPage()
    const requests: string[] = []
    const errors: string[] = []
    page.on('request', request => requests.push(new URL(request.url()).pathname))
    page.on('pageerror', error => errors.push(String(error)))
    await page.goto(server.origin)
    return {
      page,
      requests,
      errors,
      [Symbol.asyncDispose]: async () => {
        await context.close()
        await server[Symbol.asyncDispose]()
      },
    }
  }

  const fill = async (page: Page, token: string, key: string, address = audience) => {
    await page.getByLabel('Address of the post').fill(address)
    await page.getByLabel('What is registered').fill(key)
    await page.getByLabel('Token').fill(token)
  }

  const sign = (options: Partial<SignPayloadOptions> = {}, key = 'rsa') =>
    signPayload(claims, signingKey(key), { audience, ...options })

  const late = () => new Date(Date.now() - 14 * 60_000)
  const registration = JSON.stringify({
    issuer: 'https://journal.example',
    keys: [{ kind: 'spki', kid: 'rsa', pem: keyText('rsa', 'pem') }],
  })
  const cases: readonly (readonly [fault: string, code: string, token: () => Promise<string>])[] = [
    ['nothing', '', () => sign()],
    ['another audience', 'ERR_PAYLOAD_AUDIENCE', () => sign({ audience: `${audience}/` })],
    ['an old token', 'ERR_PAYLOAD_EXPIRED', () => sign({ clock: late })],
    ['another key', 'ERR_PAYLOAD_SIGNATURE', () => sign({ keyId: 'rsa' }, 'otherRsa')],
    ['text that is no token', 'ERR_PAYLOAD_MALFORMED', async () => '{"token":"eyJ"}'],
  ]

  test.each(cases)('explains %s as the terminal does, and asks nobody', async (_fault, code, make) => {
    await using opened = await openPage()
    const { page, requests, errors } = opened
    const token = await make()
    await writeFile(join(folder, 'registration.json'), registration)
    const moment = new Date()
    await page.clock.setFixedTime(moment)
    const registered = ['--key', join(folder, 'registration.json'), '--audience', audience]
    const { stderr } = await runHere(['explain', ...registered, '--at', moment.toISOString()], token)
    const told = stderr.replace(spaces, ' ')
    await fill(page, token, registration)
    const result = page.getByRole('region', { name: 'Result' })
    await result.getByRole('listitem').first().waitFor()
    expect(await result.getByRole('paragraph').textContent()).toContain(code || 'Nothing is wrong')
    for (const item of await result.getByRole('listitem').all())
      expect(told).toContain((await item.textContent())?.replace(spaces, ' ').trim())
    expect(told).toContain(await result.getByRole('paragraph').textContent())

    expect(requests).toEqual(['/', '/explain.css', '/explain.js'])
    expect(errors).toEqual([])
    const ask = "fetch('/', { method: 'POST' }).then(() => 'sent', () => 'blocked')"
    expect(await page.evaluate(ask)).toBe('blocked')
  })

  test('looks at a token as of when it was signed, on request', async () => {
    await using opened = await openPage()
    const { page } = opened
    await fill(page, await sign({ clock: late }), registration)
    const verdict = page.getByRole('region', { name: 'Result' }).getByRole('paragraph')
    await expect.poll(() => verdict.textContent()).toContain('ERR_PAYLOAD_EXPIRED')
    await page.getByLabel('Look at it as of when it was signed').check()
    await expect.poll(() => verdict.textContent()).toContain('Nothing is wrong')
  })

  test('takes each form of a key, and says what it cannot use', async () => {
    await using opened = await openPage()
    const { page } = opened
    const result = page.getByRole('region', { name: 'Result' })
    const jwks = {
      ...JSON.parse(registration),
      keys: [{ kind: 'jwks', url: 'https://journal.example/keys' }],
    }
    for (const [key, words] of [
      ['', 'Give what is registered.'],
      [keyText('expiredCertificate', 'pem'), 'Register its successor.'],
      [keyText('secret', 'secret'), 'the registered shared secret'],
      [keyText('rsa', 'privatePem'), 'it holds a private key'],
      ['{"a":1}', 'neither a JSON Web Key nor a registration'],
      ['{"a"', 'begins like JSON, but is not JSON'],
      [JSON.stringify(jwks), 'fetches nothing'],
    ] as const) {
      await fill(page, await sign(), key)
      await expect.poll(() => result.textContent(), { message: words }).toContain(words)
    }
    await fill(page, await sign(), registration, 'sso.example')
    await expect.poll(() => result.textContent()).toContain('must be an absolute http or https URL')
  })

  test('cuts what is pasted where it is too long for any token or key, and says so', async () => {
    await using opened = await openPage()
    const { page } = opened
    await fill(page, '', registration)
    await page.getByLabel('Token').focus()
    await page.keyboard.insertText('x'.repeat(5_000_000))
    const result = page.getByRole('region', { name: 'Result' })
    await expect.poll(() => result.textContent()).toContain('ERR_PAYLOAD_TOO_LARGE')
    expect(await page.getByLabel('Token').inputValue()).toHaveLength(2 * 65_536)
  })

  test('is readable by everybody: light, dark, at 360 px', async () => {
    await using opened = await openPage()
    const { page } = opened
    await fill(page, await sign({ audience: `${audience}/` }), registration)
    await page.getByRole('listitem').first().waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([])
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360)
  })
})
