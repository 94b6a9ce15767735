import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { canManage, runManagedSource } from '@service-link/test-kit/managed-policies'
import { hasBrowser } from '@service-link/test-kit/test-window'
import { expect, test } from 'vitest'

const engineModule = new URL('../../src/chromium/create-chromium-engine.ts', import.meta.url).href
const app = 'http://app.invalid'
/** The browser asks for its own user's accounts. No flag or policy keeps it from that. */
const accounts = 'accounts.google.com:443'

const program = `
  import { createChromiumEngine } from ${JSON.stringify(engineModule)}
  const [profileFolder] = process.argv.slice(1)
  const facts = { userAgentSuffix: '', pageScript: 'send => undefined', allowedOrigins: ['${app}'] }
  const window = await createChromiumEngine({ isHeadless: true }).open({ url: '${app}/', profileFolder, ...facts })
  const isReached = await window.canReach('${app}/end', { timeoutMs: 120_000 })
  await window.close()
  console.log(isReached)
`

test.skipIf(!canManage || !hasBrowser)(
  'a window asks the web app, the browser’s maker for accounts, and nobody else',
  { timeout: 180_000 },
  async () => {
    const asked: string[] = []
    const { promise: hasAskedAgain, resolve } = Promise.withResolvers<void>()
    const note = (host: string) => {
      asked.push(host)
      // It asks again after growing pauses; its other requests are over by then.
      if (asked.filter(other => other === accounts).length === 3) resolve()
    }
    const proxy = createServer(async (request, response) => {
      note(new URL(request.url ?? '').host)
      if (request.url === `${app}/end`) await hasAskedAgain
      response.setHeader('content-type', 'text/html').end('<title>App</title><input type=password>')
    })
    proxy.on('connect', ({ url = '' }, socket) => {
      note(url)
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const policies = {
      ProxyMode: 'fixed_servers',
      ProxyServer: `127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      ProxyBypassList: '<-loopback>',
    }
    const end = await runManagedSource(policies, program)
    proxy.closeAllConnections()
    proxy.close()
    expect(end).toMatchObject({ output: 'true\n' })
    expect([...new Set(asked)].sort()).toEqual([accounts, 'app.invalid'])
  },
)
