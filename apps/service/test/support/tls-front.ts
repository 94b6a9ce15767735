import { once } from 'node:events'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'

/** A request that came over TLS. */
export interface SeenRequest {
  readonly host: string
  readonly method: string
  readonly path: string
  /** Header `Cookie`; `undefined` when the browser sent none. */
  readonly cookie: string | undefined
  readonly referer: string | undefined
  /** `Sec-Fetch-Site`. */
  readonly site: string | undefined
  /** `Sec-Fetch-Dest`. */
  readonly destination: string | undefined
}

/** Ends TLS for several hosts, like the proxy in front of a service. */
export interface TlsFront extends AsyncDisposable {
  readonly port: number
  /** Every request, in order. */
  readonly seen: readonly SeenRequest[]
  /** Clears the requests, targets and pages of the former test. */
  reset(): void
  /** Forwards a host's requests to a port of this machine from now on. */
  forward(host: string, port: number): void
  /** Answers a host's path with a page of the test instead of forwarding. */
  show(host: string, path: string, html: string): void
}

/** Opens the front on a free port. */
export async function openTlsFront(certificate: {
  readonly key: string
  readonly cert: string
}): Promise<TlsFront> {
  const seen: SeenRequest[] = []
  const targets = new Map<string, number>()
  const pages = new Map<string, string>()
  const server = createServer(certificate, (asked, answer) => {
    const host = asked.headers.host ?? ''
    const path = asked.url ?? ''
    seen.push(describe(asked))
    const page = pages.get(`${host}${path.split('?')[0]}`)
    if (page !== undefined)
      return void answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
    const port = targets.get(host)
    if (port === undefined) return void answer.writeHead(404).end()
    passOn(asked, answer, port)
  })
  // Longer than any test: the browser keeps its connections.
  server.keepAliveTimeout = 600_000
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('The server has no TCP port.')
  return {
    port: address.port,
    seen,
    reset() {
      seen.length = 0
      targets.clear()
      pages.clear()
    },
    forward: (host, port) => void targets.set(host, port),
    show: (host, path, html) => void pages.set(`${host}${path}`, html),
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function describe({ method = '', url = '', headers }: IncomingMessage): SeenRequest {
  const text = (name: string) => headers[name]?.toString()
  return {
    host: headers.host ?? '',
    method,
    path: url,
    cookie: headers.cookie,
    referer: headers.referer,
    site: text('sec-fetch-site'),
    destination: text('sec-fetch-dest'),
  }
}

/** The end of one connection ends the other: the server's and the browser's. */
function passOn(asked: IncomingMessage, answer: ServerResponse, port: number): void {
  const headers = { ...asked.headers, 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' }
  const target = { host: '127.0.0.1', port, method: asked.method, path: asked.url, headers }
  // A new connection, because the service may close a kept one just before its reuse.
  const forwarded = request({ ...target, agent: false })
  forwarded.on('response', got => {
    answer.writeHead(got.statusCode ?? 502, got.rawHeaders)
    got.on('error', () => answer.destroy()).pipe(answer)
  })
  forwarded.on('error', () => answer.destroy())
  answer.on('close', () => forwarded.destroy())
  asked.on('error', () => forwarded.destroy()).pipe(forwarded)
}
