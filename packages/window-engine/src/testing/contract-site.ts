import { EventEmitter, once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request to the site. */
interface SiteRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The contract's pages, on two origins. */
export interface ContractSite extends AsyncDisposable {
  readonly origin: string
  /** The same pages on another origin. */
  readonly foreignOrigin: string
  /** Every request, in order. */
  readonly requests: readonly SiteRequest[]
  /** Empties {@link requests}. */
  forgetRequests(): void
  /** Settles when a path has been requested. */
  nextRequest(path: string): Promise<void>
}

const page = (body: string) => `<!doctype html><meta charset=utf-8><title>Contract</title>${body}`

/** Path of the page that a shared window shows between two cases. */
export const idlePath = '/idle'

const pages: Readonly<Record<string, string>> = {
  '/': page('<p>first'),
  '/next': page('<p>next'),
  '/early': page('<script>globalThis.seen = typeof globalThis.__wrapperHost</script>'),
  '/frames': page(
    '<iframe src="/framed"></iframe><script>addEventListener("message", ({ data }) => { globalThis.framed = data })</script>',
  ),
  '/framed': page('<script>parent.postMessage(typeof globalThis.__wrapperHost, "*")</script>'),
  '/signed-on': page('<p>signed on'),
  // Another title: a case may look for its window by the title.
  [idlePath]: '<!doctype html><title>Idle</title>',
}

/** Serves the contract's pages until it is disposed of. */
export async function serveContractSite(waitMs: number): Promise<ContractSite> {
  const requests: SiteRequest[] = []
  const arrivals = new EventEmitter()
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url = '', headers } = request
    const body = await text(request).catch(() => '')
    requests.push({ method, url, headers, body })
    arrivals.emit(url)
    // It is never answered.
    if (url === '/never') return
    if (url === '/refused') response.writeHead(401, html).end(page('<p>refused'))
    else if (url === '/down') response.writeHead(503, html).end(page('<p>down'))
    else if (url === '/sign-on') response.writeHead(303, { location: '/signed-on' }).end()
    else if (pages[url] === undefined) response.writeHead(404, html).end()
    else response.writeHead(200, html).end(pages[url])
  }
  const servers = await Promise.all([serve(answer), serve(answer)])
  const [origin, foreignOrigin] = servers.map(
    server => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  ) as [string, string]
  return {
    origin,
    foreignOrigin,
    requests,
    forgetRequests() {
      requests.length = 0
    },
    async nextRequest(path) {
      if (!requests.some(({ url }) => url === path))
        await once(arrivals, path, { signal: AbortSignal.timeout(waitMs) })
    },
    async [Symbol.asyncDispose]() {
      for (const server of servers) {
        server.closeAllConnections()
        await new Promise(resolve => server.close(resolve))
      }
    },
  }
}

const html = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' }

async function serve(
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<Server> {
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}
