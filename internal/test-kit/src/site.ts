import { EventEmitter, once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A local web server with a few pages, on a separate origin. */
export interface TestSite extends AsyncDisposable {
  readonly origin: string
  /** Header fields of each request, by path. */
  readonly requests: Map<string, IncomingHttpHeaders[]>
  /** Each request, after its body has arrived. */
  readonly posted: PostedRequest[]
  /** Path and query of each request, in order. */
  readonly queries: string[]
  /** Header fields of the first request for a path; waits for it. */
  nextRequest(path: string): Promise<IncomingHttpHeaders>
}

/** An answer; by default HTML with status 200. */
export interface TestPage {
  readonly body: string
  readonly type?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** A request with its posted body. */
export interface PostedRequest {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly headers: IncomingHttpHeaders
}

/** Content of a path: HTML, an answer, or `never` for no answer at all. */
export type TestPages = Readonly<Record<string, string | TestPage>>

/** Serves pages until disposed; unknown paths get 404. */
export async function serveSite(pages: TestPages, host = '127.0.0.1', fixedPort = 0): Promise<TestSite> {
  const requests: TestSite['requests'] = new Map()
  const queries: string[] = []
  const posted: PostedRequest[] = []
  const arrivals = new EventEmitter()
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://site')
    requests.set(pathname, [...(requests.get(pathname) ?? []), request.headers])
    queries.push(request.url ?? '')
    arrivals.emit(pathname)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', headers } = request
      posted.push({ method, path: pathname, body: Buffer.concat(chunks).toString(), headers })
    })
    const page = pages[pathname]
    if (page === 'never') return response
    if (page === undefined) return response.writeHead(404).end()
    const {
      type = 'text/html; charset=utf-8',
      status = 200,
      headers = {},
      body,
    } = typeof page === 'string' ? { body: page } : page
    return response
      .writeHead(status, { 'content-type': type, 'cache-control': 'no-cache', ...headers })
      .end(body)
  })
  server.listen(fixedPort, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://${host}:${port}`,
    requests,
    queries,
    posted,
    async nextRequest(path) {
      if (!requests.has(path)) await once(arrivals, path, { signal: AbortSignal.timeout(20_000) })
      return requests.get(path)?.[0] ?? {}
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
