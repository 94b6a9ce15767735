import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local web server with a few pages, on an origin of its own. */
export interface TestSite extends AsyncDisposable {
  readonly origin: string
  /** Header fields of each request, by path. */
  readonly requests: Map<string, IncomingHttpHeaders[]>
}

/** What is served at a path: HTML, or a body with its type. */
export type TestPages = Readonly<Record<string, string | { readonly type: string; readonly body: string }>>

/** Serves pages until it is disposed of; a path that is not there is answered with 404. */
export async function serveSite(pages: TestPages, host = '127.0.0.1'): Promise<TestSite> {
  const requests: TestSite['requests'] = new Map()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    requests.set(pathname, [...(requests.get(pathname) ?? []), request.headers])
    const page = pages[pathname]
    if (page === undefined) return response.writeHead(404).end()
    const { type, body } = typeof page === 'string' ? { type: 'text/html; charset=utf-8', body: page } : page
    return response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, host, resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
