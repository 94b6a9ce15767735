import { createServer, type RequestListener } from 'node:http'

/** A real HTTP server around a web-standard handler. */
export interface TestServer extends AsyncDisposable {
  readonly port: number
  /** `http://127.0.0.1:<port>` */
  readonly origin: string
}

export function serve(handle: (request: Request) => Promise<Response> | Response): Promise<TestServer> {
  return listen((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', async () => {
      const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD'
      const request = new Request(`http://${incoming.headers.host}${incoming.url}`, {
        method: incoming.method ?? 'GET',
        headers: Object.entries(incoming.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
      })
      const response = await handle(request)
      outgoing.writeHead(response.status, [...response.headers].flat())
      outgoing.end(Buffer.from(await response.arrayBuffer()))
    })
  })
}

/** A server on a free port, until it is disposed. */
export async function listen(listener: RequestListener): Promise<TestServer> {
  const server = createServer(listener)
  await new Promise<void>(resolve => server.listen(0, resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new TypeError('The server has no port.')
  return {
    port: address.port,
    origin: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
