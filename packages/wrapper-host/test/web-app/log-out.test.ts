import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pageModules } from '@service-link/test-kit/page-modules'
import { temporaryFolder } from '@service-link/test-kit/temporary-folder'
import { hasBrowser, headless } from '@service-link/test-kit/test-window'
import { describe, expect, test, vi } from 'vitest'
import { Bridge, pageScript } from '../../src/web-app/bridge.ts'
import { followPageSignOut } from '../../src/web-app/sign-out.ts'
import { SignInState } from '../../src/web-app/user-session.ts'
import { keepWindow } from '../../src/window/keep-window.ts'
import { ReturnAddress } from '../../src/window/return-address.ts'
import { info, untilSignedIn } from '../support/bridged-page.ts'

/** Signs in at the first load; the first command signs out, by an address that redirects and returns. */
const webApp = `<!doctype html><script type="module">
import { connectHost } from '/page/index.ts'
const host = connectHost({ queryExercises() {
  host.signedOut()
  location.href = '/log-out'
} })
if ((await (await fetch('/session')).text()) === 'signed in') host.signedIn()
</script>`

/** A service whose log-out the test answers. */
async function slowLogOut() {
  const modules = await pageModules()
  const requests: string[] = []
  const held: ServerResponse[] = []
  const server = createServer((request, response) => {
    const { url = '/' } = request
    const module = modules[url]
    if (typeof module === 'object')
      return response.writeHead(200, { 'content-type': module.type }).end(module.body)
    const hasCookie = /\bidp=1\b/.test(request.headers.cookie ?? '')
    requests.push(hasCookie ? `${url} with cookie` : url)
    if (url === '/log-out') return held.push(response)
    if (url === '/end-session') return response.writeHead(303, { location: '/' }).end()
    if (url === '/session')
      return response.end(requests.includes('/end-session with cookie') ? '' : 'signed in')
    const head = { 'content-type': 'text/html', 'set-cookie': 'idp=1; Path=/' }
    return response.writeHead(200, head).end(webApp)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/`,
    requests,
    release: () => held.shift()?.writeHead(303, { location: '/end-session' }).end(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

describe.runIf(hasBrowser)('a page that signs its user out by itself', () => {
  test('is left alone during its log-out over other addresses, and cleaned up after its return', async () => {
    await using site = await slowLogOut()
    await using folder = await temporaryFolder()
    const returnAddress = new ReturnAddress(site.url)
    await using window = await keepWindow({
      engine: headless,
      window: {
        url: site.url,
        profileFolder: folder.path,
        userAgentSuffix: '',
        pageScript: pageScript(),
        allowedOrigins: [new URL(site.url).origin],
      },
      returnAddress,
      session: { snapshot: undefined, drop: () => undefined },
      report: () => undefined,
    })
    await using bridge = new Bridge(window, { info })
    using signIn = new SignInState(bridge, { report: () => undefined })
    const ending = new AbortController()
    const options = { window, bridge, signIn, returnAddress, signal: ending.signal }
    using _following = followPageSignOut(options)
    await untilSignedIn(bridge)

    const called = vi.spyOn(window, 'call')
    const cleared = vi.spyOn(window, 'endSession')
    const query = { name: 'queryexercises', args: { text: 'x' } } as const
    await bridge.run(query, 60_000).catch(() => undefined)
    await vi.waitFor(() => expect(site.requests).toContain('/log-out with cookie'), { timeout: 60_000 })
    const asked = [{ type: 'introduce' }, expect.anything()]
    await vi.waitFor(() => expect(called).toHaveBeenCalledWith(...asked), { timeout: 60_000 })
    expect(cleared).not.toHaveBeenCalled()
    site.release()
    await vi.waitFor(() => expect(cleared).toHaveBeenCalledOnce(), { timeout: 60_000 })
    expect(site.requests).toContain('/end-session with cookie')
    const loads = () => site.requests.filter(text => /^\/( |$)/.test(text))
    await vi.waitFor(() => expect(loads()).toEqual(['/', '/ with cookie', '/']), { timeout: 60_000 })
    ending.abort()
  })
})
