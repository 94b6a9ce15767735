import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { canManage, runManagedSource } from '@service-link/test-kit/managed-policies'
import { nextEvent } from '@service-link/test-kit/next-event'
import { selfSigned } from '@service-link/test-kit/self-signed'
import { listen } from '@service-link/test-kit/serve'
import { hasBrowser, openTestWindow } from '@service-link/test-kit/test-window'
import { describe, expect, test } from 'vitest'

const engineModule = new URL('../../src/chromium/create-chromium-engine.ts', import.meta.url).href

/** Asks a site by both ways that do not show it. */
const program = `
  import { createChromiumEngine } from ${JSON.stringify(engineModule)}
  const [profileFolder, url, other] = process.argv.slice(1)
  const facts = { userAgentSuffix: 'Suffix/1', pageScript: 'send => undefined', allowedOrigins: [new URL(url).origin] }
  const window = await createChromiumEngine({ isHeadless: true }).open({ url, profileFolder, ...facts })
  const bounds = { timeoutMs: 60_000, maxBytes: 64 }
  const asked = await window.fetchText(other, bounds).catch(({ message }) => message)
  const isReached = await window.canReach(other, bounds)
  await window.close()
  console.log(JSON.stringify({ asked, isReached }))
`

/** A proxy that answers for each host itself. */
async function answeringProxy(text: string) {
  const asked: string[] = []
  const server = await listen((request, response) => {
    asked.push(`${request.url} ${request.headers.cookie ?? 'no cookie'}`)
    response.end(text)
  })
  return { ...server, asked }
}

async function ask(policies: Readonly<Record<string, unknown>>, url: string, other: string) {
  const { output, errors } = await runManagedSource(policies, program, [url, other])
  if (output === '') throw new Error(errors)
  return JSON.parse(output)
}

describe.skipIf(!canManage || !hasBrowser)('a site that is reached by the browser alone', () => {
  const [app, other] = ['http://app.invalid/', 'http://updates.invalid/msi/version.txt']
  const answered = { asked: { status: 200, text: '4.0.0.0\n' }, isReached: true }

  test('is asked through the proxy of a policy', async () => {
    await using proxy = await answeringProxy('4.0.0.0\n')
    const host = new URL(proxy.origin).host
    expect(await ask({ ProxyMode: 'fixed_servers', ProxyServer: host }, app, other)).toEqual(answered)
    expect(proxy.asked).toContain(`${other} no cookie`)
  })

  test('is asked through a script that names the proxy', async () => {
    await using proxy = await answeringProxy('4.0.0.0\n')
    const script = `function FindProxyForURL(url, host) {
      return host.endsWith('.invalid') ? 'PROXY ${new URL(proxy.origin).host}' : 'DIRECT'
    }`
    const address = `data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(script).toString('base64')}`
    expect(await ask({ ProxyMode: 'pac_script', ProxyPacUrl: address }, app, other)).toEqual(answered)
  })

  test('is not asked when policies block its address', async () => {
    await using proxy = await answeringProxy('4.0.0.0\n')
    const policies = { URLBlocklist: ['*'], URLAllowlist: [proxy.origin] }
    const found = await ask(policies, `${proxy.origin}/`, other)
    const asked = 'A policy of the browser blocks the address (ERR_BLOCKED_BY_ADMINISTRATOR).'
    expect(found).toEqual({ asked, isReached: false })
  })
})

test.skipIf(!hasBrowser)('a certificate that is not trusted is named as the reason', async () => {
  const server = createServer(selfSigned('localhost'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    const url = `https://localhost:${(server.address() as AddressInfo).port}/?token=secret`
    await using opened = await openTestWindow({ url })
    const { reason } = await nextEvent(opened.window, 'loadFailed')
    expect(reason).toBe('The site’s certificate is not trusted on this machine (ERR_CERT_AUTHORITY_INVALID).')
  } finally {
    server.closeAllConnections()
    server.close()
  }
})
