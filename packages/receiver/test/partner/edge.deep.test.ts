import { hasBrowser, launchBrowser } from '@service-link/test-kit/browser'
import { bundle } from '@service-link/test-kit/bundle-module'
import { keyText, registeredKey } from '@service-link/test-kit/payload-vectors'
import { serve, type TestServer } from '@service-link/test-kit/serve'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { EdgeInput } from '../support/edge-story.ts'

/** One key of each type, registered without a kid, so that the runtime computes the thumbprint too. */
const inputs: readonly (readonly [string, string, EdgeInput])[] = (
  [
    ['rsa', 'RS256'],
    ['rsa', 'PS512'],
    ['p256', 'ES256'],
    ['ed25519', 'EdDSA'],
  ] as const
).map(([name, algorithm]) => [
  algorithm,
  name,
  {
    name,
    registered: registeredAs(name),
    signing: { kind: 'pkcs8', pem: keyText(name, 'privatePem'), algorithm },
  },
])

const secret = keyText('longSecret', 'secret')
const stories = [
  ...inputs,
  [
    'HS384',
    'longSecret',
    {
      name: 'longSecret',
      registered: { kind: 'secret', secret },
      signing: { kind: 'secret', secret, algorithm: 'HS384' },
    },
  ] as const,
]

const script = await bundle(new URL('../support/edge-story.ts', import.meta.url))

test('the package imports nothing that an edge runtime lacks', () => {
  expect(script).not.toMatch(/^\s*import\s/m)
  expect(script).not.toMatch(/from\s*['"]|\brequire\(|\bimport\(\s*['"]/)
})

describe.skipIf(!hasBrowser())('in a worker of a real Chromium', () => {
  let browser: Awaited<ReturnType<typeof launchBrowser>>
  let server: TestServer
  beforeAll(async () => {
    browser = await launchBrowser()
    server = await serve(request => {
      const isScript = new URL(request.url).pathname === '/story.js'
      return new Response(isScript ? script : '<!doctype html><title>Edge</title>', {
        headers: {
          'content-type': isScript ? 'text/javascript' : 'text/html',
          // The strictest policy: no part of the package makes code out of text.
          'content-security-policy': "default-src 'none'; script-src 'self'; worker-src 'self'",
        },
      })
    })
  })
  afterAll(async () => {
    await browser.close()
    await server[Symbol.asyncDispose]()
  })

  test.each(stories)(
    '%s with the key %s: sign, verify, post, and refuse',
    async (algorithm, _name, input) => {
      const page = await browser.newPage()
      page.setDefaultTimeout(120_000)
      await page.goto(`http://localhost:${server.port}/`)
      const started = page.waitForEvent('worker')
      await page.evaluate(() => {
        const start = Reflect.get(globalThis, 'Worker')
        Reflect.set(globalThis, 'worker', new start('/story.js', { type: 'module' }))
      })
      const worker = await started
      await expect
        .poll(() => worker.evaluate(() => 'tellStory' in globalThis), { timeout: 120_000 })
        .toBe(true)
      assertStory(
        await worker.evaluate(given => Reflect.get(globalThis, 'tellStory')(given), input),
        algorithm,
      )
      await page.close()
    },
  )
})

function registeredAs(name: string): EdgeInput['registered'] {
  if (name === 'rsa') return { kind: 'spki', pem: keyText('rsa', 'pem') }
  const key = registeredKey(`unnamed${name[0]?.toUpperCase()}${name.slice(1)}`)
  if (key.kind !== 'jwk') throw new TypeError('A JWK was expected.')
  return { kind: 'jwk', jwk: { ...key.jwk, kty: key.jwk.kty ?? '' } }
}

function assertStory(told: unknown, algorithm: string): void {
  expect(JSON.parse(String(told))).toEqual({
    algorithm,
    firstname: 'Åse',
    answers: ['log-in', 'ERR_PAYLOAD_REPLAYED', 'ERR_PAYLOAD_SIGNATURE'],
    form: '<form method="post"',
    hasNode: [],
  })
}
